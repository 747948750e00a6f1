/** The shaders. The projections are the same as in `geometry/projection.ts`; a browser test compares both. */
import { BUNDLING } from "../geometry/bundles.ts";
import { EYE } from "../geometry/projection.ts";

const float = (x: number) => x.toFixed(9);

const projections = `
const float PI = 3.14159265358979;
// x, y, and how far on the near side.
vec3 forward(int code, vec3 v) {
  if (code == 0) return v;
  if (code == 1) {
    float k = ${float(Math.sqrt((EYE + 1) / (EYE - 1)) * (EYE - 1))} / (${float(EYE)} - v.z);
    return vec3(k * v.xy, (v.z - ${float(1 / EYE)}) / ${float(1 - 1 / EYE)});
  }
  if (code == 2) {
    float across = max(length(v.xy), 1e-12);
    float k = v.z > 0.0 ? sqrt(2.0 / (1.0 + v.z)) : sqrt(2.0 * (1.0 - v.z)) / across;
    return vec3(k * v.xy, 1.0);
  }
  if (code == 7) {
    float across = length(v.xy);
    return vec3(v.xy * (across > 1e-7 ? atan(across, v.z) / across : 1.0), 1.0);
  }
  if (code == 5) return vec3(v.xy, 1.0);
  if (code == 6) return vec3(v.xy * 4.0 / (4.0 - v.z), 1.0);
  float longitude = v.x == 0.0 && v.z == 0.0 ? 0.0 : atan(v.x, v.z);
  if (code == 3) {
    float t = asin(clamp(${float(Math.sqrt(3) / 2)} * v.y, -1.0, 1.0));
    float t2 = t * t;
    float t6 = t2 * t2 * t2;
    return vec3(
      longitude * cos(t) / (${float(Math.sqrt(3) / 2)} * (1.340264 - 0.243318 * t2 + t6 * (0.006251 + 0.034164 * t2))),
      t * (1.340264 - 0.081106 * t2 + t6 * (0.000893 + 0.003796 * t2)), 1.0);
  }
  float s = PI * dot(v.xz, v.xz) / (1.0 + abs(v.y));
  float t = pow(6.0 * s, 1.0 / 3.0);
  float t2 = t * t;
  float e = t * (1.0 + t2 * (1.0 / 60.0 + t2 * (1.0 / 1400.0 + t2 * (1.0 / 25200.0 + t2 * ${float(43 / 17248000)}))));
  if (t > 0.8) e -= (e - sin(e) - s) / (1.0 - cos(e));
  return vec3(${float((2 * Math.SQRT2) / Math.PI)} * longitude * sin(e / 2.0), sign(v.y) * ${float(Math.SQRT2)} * cos(e / 2.0), 1.0);
}`;

export const pointVertex = `#version 300 es
precision highp float;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 color;
layout(location = 2) in float relativeSize;
layout(location = 3) in float ownLayer;
uniform mat3 rotation;
uniform ivec2 codes;       // from, to
uniform vec4 places;       // scale from, scale to, centre, in pixels
uniform vec2 screen;
uniform float morph;
uniform float pointSize;
uniform float ghost;
uniform float layer;
uniform float opacity;
uniform vec4 grey;         // and how much of it
uniform float outlined;    // from this diameter on, points have an outline; in pixels
uniform vec4 rim;          // its colour and opacity
flat out vec4 ink;
flat out float size;
flat out vec4 edge;
${projections}
void main() {
  vec3 v = rotation * position;
  vec3 b = forward(codes.y, v);
  vec2 place = b.xy * places.y;
  float near = b.z;
  if (morph < 1.0) {
    vec3 a = forward(codes.x, v);
    place = mix(a.xy * places.x, place, morph);
    near = mix(a.z, near, morph);
  }
  float front = smoothstep(0.0, 0.4, near) * 0.75 + 0.25;
  if (codes.y == 6) front = clamp(0.65 + 0.35 * v.z, 0.25, 1.0);
  float alpha = near > 0.0 ? opacity * front : opacity * ghost;
  if (abs(ownLayer - layer) > 0.25 || alpha <= 0.0) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 1.0;
    return;
  }
  vec2 pixel = places.zw + vec2(place.x, -place.y);
  gl_Position = vec4(pixel / screen * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
  size = pointSize * relativeSize * 4.0 * (codes.y == 6 ? clamp(4.0 / (4.0 - 2.0 * v.z), 0.5, 2.0) : 1.0);
  // Points below a pixel keep their size and give up opacity instead, or they would flicker.
  alpha *= min(1.0, size * size);
  size = max(size, 1.0);
  gl_PointSize = size + 1.0;
  ink = vec4(mix(color, grey.rgb, grey.a) * alpha, alpha);
  edge = size >= outlined && near > 0.0 ? vec4(rim.rgb * rim.a * front, rim.a * front) : ink;
}`;

export const pointFragment = `#version 300 es
precision highp float;
flat in vec4 ink;
flat in float size;
flat in vec4 edge;
uniform float rimWidth;    // 0 if no point has an outline
out vec4 pixel;
void main() {
  float d = length(gl_PointCoord - 0.5) * (size + 1.0);
  if (rimWidth == 0.0) {
    pixel = ink * clamp(0.5 * size - d + 0.5, 0.0, 1.0);
    return;
  }
  float inner = clamp(0.5 * size - rimWidth - d + 0.5, 0.0, 1.0);
  pixel = mix(edge, ink, inner) * clamp(0.5 * size - d + 0.5, 0.0, 1.0);
}`;

/** An arc of a great circle, or a bundled arc, from one item to another: a strip around it, two vertices for each step. */
export const arcVertex = `#version 300 es
precision highp float;
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
layout(location = 2) in vec4 fromLook;   // colour and strength
layout(location = 3) in vec4 toLook;
layout(location = 4) in vec3 fromMiddle;   // centres of the clusters of a bundled arc, or 0
layout(location = 5) in vec3 toMiddle;
uniform mat3 rotation;
uniform ivec2 codes;
uniform vec4 places;
uniform vec2 screen;
uniform float morph;
uniform float ratio;
uniform float halfMap;     // half of the width of the map, in pixels
uniform float lift;        // how high arcs rise above a globe
uniform float opacity;
uniform int segments;
uniform bool curved;       // great circles, not straight lines
out vec4 ink;
out float across;          // from −1 to 1
flat out float width;
out float torn;
${projections}
// A place on a great circle.
vec3 way(vec3 a, vec3 b, float angle, float t) {
  return angle > 1e-3 ? (sin((1.0 - t) * angle) * a + sin(t * angle) * b) / max(sin(angle), 1e-4) : mix(a, b, t);
}
float angleOf(vec3 a, vec3 b) { return acos(clamp(dot(a, b), -1.0, 1.0)); }
// The pixel of a place on the arc, and how far on the near side.
vec3 at(float t) {
  vec3 v = mix(from, to, t);
  if (curved) {
    float whole = angleOf(from, to);
    v = way(from, to, whole, t);
    if (min(dot(fromMiddle, fromMiddle), dot(toMiddle, toMiddle)) > 0.0) {
      vec3 trunk = way(fromMiddle, toMiddle, angleOf(fromMiddle, toMiddle), t);
      float half_way = 4.0 * t * (1.0 - t);
      // Not if both go around the sphere on different sides.
      v = mix(v, trunk, ${float(BUNDLING)} * half_way * (2.0 - half_way) * smoothstep(0.2, 0.6, dot(v, trunk)));
    }
    v = normalize(v) * (1.0 + lift * min(whole, 1.8) * sin(PI * t));
  }
  v = rotation * v;
  vec3 b = forward(codes.y, v);
  vec2 place = b.xy * places.y;
  float near = b.z;
  // What rises above the limb can be seen although it is behind the centre.
  if (codes.y <= 1 && length(v.xy) > 1.0) near = max(near, 0.05);
  if (morph < 1.0) {
    vec3 a = forward(codes.x, v);
    place = mix(a.xy * places.x, place, morph);
    near = mix(a.z, near, morph);
  }
  return vec3(places.zw + vec2(place.x, -place.y), near);
}
void main() {
  float t = float(gl_VertexID >> 1) / float(segments);
  float stride = 1.0 / float(segments);
  vec3 here = at(t);
  vec3 before = at(max(0.0, t - stride));
  vec3 after = at(min(1.0, t + stride));
  vec2 way = after.xy - before.xy;
  vec2 normal = length(way) > 1e-4 ? vec2(-way.y, way.x) / length(way) : vec2(0.0, 1.0);
  across = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
  float strength = fromLook.a;
  width = (0.7 + 1.3 * strength) * ratio;
  vec2 pixel = here.xy + normal * across * (0.5 * width + 0.75);
  gl_Position = vec4(pixel / screen * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
  // Across the cut of a map.
  torn = abs(after.x - here.x) > halfMap || abs(before.x - here.x) > halfMap ? 1.0 : 0.0;
  float alpha = opacity * (0.35 + 0.65 * strength) * smoothstep(0.0, 0.12, here.z);
  ink = vec4(mix(fromLook.rgb, toLook.rgb, t) * alpha, alpha);
}`;

export const arcFragment = `#version 300 es
precision highp float;
in vec4 ink;
in float across;
flat in float width;
in float torn;
out vec4 pixel;
void main() {
  if (torn > 0.0) discard;
  float reach = 0.5 * width + 0.75;
  pixel = ink * clamp(0.5 * width + 0.5 - abs(across) * reach, 0.0, 1.0);
}`;

export const toneVertex = `#version 300 es
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

/** Accumulated weight w becomes opacity w / (w + knee); the colour is the mean of all points there. */
export const toneFragment = `#version 300 es
precision highp float;
uniform sampler2D sums;
uniform float gain;
uniform float knee;
uniform float glow;
out vec4 pixel;
void main() {
  vec4 s = texelFetch(sums, ivec2(gl_FragCoord.xy), 0);
  float w = s.a * gain;
  if (w <= 0.0) { pixel = vec4(0.0); return; }
  float alpha = w / (w + knee);
  vec3 color = s.rgb / s.a;
  // On a dark page the densest places go towards white, on a light one towards a deeper tone.
  float heat = smoothstep(0.80, 1.0, alpha);
  color = glow > 0.0 ? mix(color, vec3(1.0), 0.45 * heat) : color * (1.0 - 0.30 * heat);
  pixel = vec4(color * alpha, alpha);
}`;

/** The land below the points. The inverse projections are the same as in `geometry/projection.ts`; a browser test compares both. */
export const landFragment = `#version 300 es
precision highp float;
uniform sampler2D land;
uniform mat3 rotation;
uniform int code;
uniform vec3 place;        // scale and centre, in pixels
uniform float tall;        // height of the screen, in pixels
uniform vec2 steps;        // of the relief
uniform vec3 ink;          // of coasts
uniform vec3 paper;        // the colour of land, before it is tinted
uniform float tint;        // how much of the points' colours the land has
uniform float opacity;
out vec4 pixel;
const float PI = 3.14159265358979;
// The point of the sphere under a pixel, and w > 0 if there is one.
vec4 backward(vec2 p) {
  float r2 = dot(p, p);
  if (code == 0) return vec4(p, sqrt(max(0.0, 1.0 - r2)), 1.0 - r2);
  if (code == 1) {
    vec2 q = p / ${float(Math.sqrt((EYE + 1) / (EYE - 1)))};
    float p2 = dot(q, q) / ${float((EYE - 1) * (EYE - 1))};
    float root = 1.0 + p2 * ${float(1 - EYE * EYE)};
    float z = (${float(EYE)} * p2 + sqrt(max(0.0, root))) / (1.0 + p2);
    return vec4(q * (${float(EYE)} - z) / ${float(EYE - 1)}, z, root);
  }
  if (code == 2) return vec4(p * sqrt(max(0.0, 1.0 - r2 / 4.0)), 1.0 - r2 / 2.0, 4.0 - r2);
  if (code == 7) {
    float r = sqrt(r2);
    return vec4(p * (r > 1e-6 ? sin(r) / r : 1.0), cos(r), PI - r);
  }
  float sine;
  float longitude;
  if (code == 3) {
    float t = p.y / 1.340264;
    for (int i = 0; i < 4; i++) {
      float t2 = t * t;
      float t6 = t2 * t2 * t2;
      t -= (t * (1.340264 - 0.081106 * t2 + t6 * (0.000893 + 0.003796 * t2)) - p.y)
        / (1.340264 - 0.243318 * t2 + t6 * (0.006251 + 0.034164 * t2));
    }
    float t2 = t * t;
    float t6 = t2 * t2 * t2;
    sine = sin(t) / ${float(Math.sqrt(3) / 2)};
    longitude = ${float(Math.sqrt(3) / 2)} * p.x * (1.340264 - 0.243318 * t2 + t6 * (0.006251 + 0.034164 * t2)) / cos(t);
  } else {
    float t = asin(clamp(p.y / ${float(Math.SQRT2)}, -1.0, 1.0));
    sine = (2.0 * t + sin(2.0 * t)) / PI;
    longitude = PI * p.x / (${float(2 * Math.SQRT2)} * max(cos(t), 1e-6));
    if (abs(p.y) > ${float(Math.SQRT2)}) sine = 2.0;
  }
  float across = sqrt(max(0.0, 1.0 - sine * sine));
  float inside = abs(sine) > 1.0 ? -1.0 : PI - abs(longitude);
  return vec4(across * sin(longitude), sine, across * cos(longitude), inside);
}
void main() {
  vec4 v = backward(vec2(gl_FragCoord.x - place.y, gl_FragCoord.y - tall + place.z) / place.x);
  // Back from the axes of the view to those of the data.
  vec3 d = v.xyz * rotation;
  vec2 at = vec2(atan(d.x, d.z) / (2.0 * PI) + 0.5, asin(clamp(d.y, -1.0, 1.0)) / PI + 0.5);
  vec4 here = textureLod(land, at, 0.0);
  float height = here.a;
  float slope = max(fwidth(height), 1e-5);
  if (v.w <= 0.0) { pixel = vec4(0.0); return; }
  float dry = clamp((height - 0.5) / slope + 0.5, 0.0, 1.0);
  float front = code > 1 ? 1.0 : 0.3 + 0.7 * smoothstep(0.0, 0.4, code == 0 ? v.z : (v.z - ${float(1 / EYE)}) / ${float(1 - 1 / EYE)});
  float relief = 0.5 * (clamp((height - steps.x) / slope + 0.5, 0.0, 1.0) + clamp((height - steps.y) / slope + 0.5, 0.0, 1.0));
  // Shallow water: two bands around the coast.
  float shallow = 0.5 * (smoothstep(0.0, 1.0, (height - 0.22) / slope) + smoothstep(0.0, 1.0, (height - 0.36) / slope));
  vec3 ground = mix(paper, here.rgb, tint * (0.65 + 0.35 * relief));
  float alpha = dry * (0.72 + 0.22 * relief) + (1.0 - dry) * 0.16 * shallow;
  float coast = 1.0 - smoothstep(0.0, 1.3, abs(height - 0.5) / slope);
  float line = 0.55 * coast;
  float whole = line + alpha * (1.0 - line);
  vec3 color = (mix(here.rgb, ink, 0.55) * line + ground * alpha * (1.0 - line));
  pixel = vec4(color, whole) * front * opacity;
}`;

/** Copies a picture to the whole target. */
export const copyFragment = `#version 300 es
precision mediump float;
uniform sampler2D picture;
uniform highp vec2 pixel;
out vec4 color;
void main() {
  color = textureLod(picture, gl_FragCoord.xy * pixel, 0.0);
}`;
