import {connect} from "galop-client";
import {serveTabs} from "galop-client/worker";
serveTabs(connect("/live"));
