import {connect} from "galop-client";
import {openTabs} from "galop-client/tabs";
const worker = new SharedWorker(new URL("./feed-worker.ts", import.meta.url), {type: "module"});
console.log(openTabs(worker).subscribe("race/#"), connect("/live").connection);
