package io.galop.kotlin;

import java.util.HashSet;
import java.util.Set;
import org.jetbrains.org.objectweb.asm.ClassReader;
import org.jetbrains.org.objectweb.asm.ClassVisitor;
import org.jetbrains.org.objectweb.asm.ClassWriter;
import org.jetbrains.org.objectweb.asm.Label;
import org.jetbrains.org.objectweb.asm.MethodVisitor;
import org.jetbrains.org.objectweb.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/** Puts into loops and functions a look whether the time is over. */
public final class TimeChecks {
  private static final String OWNER = TimeChecks.class.getName().replace('.', '/');

  private TimeChecks() {}

  /**
   * Called from the loops and functions of what was compiled.
   *
   * @throws InterruptedException if the time is over; the next call throws again
   */
  public static void check() throws InterruptedException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedException("the time is over");
    }
  }

  /** The class with the checks in it. */
  static byte[] into(byte[] code) {
    ClassReader reader = new ClassReader(code);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access,
              String name,
              String type,
              @Nullable String signature,
              String @Nullable [] thrown) {
            return new Checked(super.visitMethod(access, name, type, signature, thrown), name);
          }
        },
        0);
    return writer.toByteArray();
  }

  private static final class Checked extends MethodVisitor {
    private final Set<Label> passed = new HashSet<>();
    private final boolean isFunction;

    Checked(MethodVisitor to, String name) {
      super(Opcodes.ASM9, to);
      this.isFunction = !name.startsWith("<");
    }

    @Override
    public void visitCode() {
      super.visitCode();
      if (isFunction) {
        check();
      }
    }

    @Override
    public void visitLabel(Label label) {
      passed.add(label);
      super.visitLabel(label);
    }

    /** A jump backwards is what makes a loop. */
    @Override
    public void visitJumpInsn(int opcode, Label to) {
      if (passed.contains(to)) {
        check();
      }
      super.visitJumpInsn(opcode, to);
    }

    private void check() {
      visitMethodInsn(Opcodes.INVOKESTATIC, OWNER, "check", "()V", false);
    }
  }
}
