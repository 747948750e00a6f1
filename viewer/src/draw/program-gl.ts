/** Programs of shaders. */
import type { Frame } from "../geometry/frame.ts";

type Uniforms = Record<string, WebGLUniformLocation | null>;

export interface Program {
  program: WebGLProgram;
  at: Uniforms;
}

export function build(gl: WebGL2RenderingContext, vertex: string, fragment: string): Program {
  const program = gl.createProgram()!;
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
      throw new Error(`shader: ${gl.getShaderInfoLog(shader)}`);
    }
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  const at: Uniforms = {};
  const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) as number;
  for (let i = 0; i < count; i++) {
    const name = gl.getActiveUniform(program, i)!.name;
    at[name] = gl.getUniformLocation(program, name);
  }
  return { program, at };
}

/** Uses a program and tells it where a frame puts the items: the uniforms that the shaders of all items share. */
export function project(gl: WebGL2RenderingContext, { program, at }: Program, frame: Frame, ratio: number): void {
  gl.useProgram(program);
  gl.uniformMatrix3fv(at.rotation!, false, frame.rotation);
  gl.uniform2i(at.codes!, frame.from.code, frame.to.code);
  gl.uniform4f(at.places!, frame.fromScale * ratio, frame.scale * ratio, frame.centerX * ratio, frame.centerY * ratio);
  gl.uniform2f(at.screen!, gl.canvas.width, gl.canvas.height);
  gl.uniform1f(at.morph!, frame.morph);
}
