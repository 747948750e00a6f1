import {
  type GeoProjection,
  geoAzimuthalEqualArea,
  geoAzimuthalEquidistant,
  geoEqualEarth,
  geoOrthographic,
} from "d3-geo";
import { geoMollweide, geoSatellite } from "d3-geo-projection";
import { describe, expect, test } from "vitest";
import { EYE, mollweideCap, projections, sphereProjections } from "../../src/geometry/projection.ts";
import { angle, axisAngle, fromDegrees, multiply, rotate } from "../../src/geometry/vector.ts";

/** A globe of 4,000 pixels radius: half a pixel there is a hundredth of a degree. */
const SCALE = 4000;

const peers: Record<string, GeoProjection> = {
  globe: geoOrthographic().clipAngle(null as unknown as number),
  perspective: geoSatellite().distance(EYE),
  fisheye: geoAzimuthalEqualArea(),
  equidistant: geoAzimuthalEquidistant(),
  equalearth: geoEqualEarth(),
  mollweide: geoMollweide(),
};

const degrees: [number, number][] = [];
for (let longitude = -179; longitude <= 180; longitude += 13)
  for (let latitude = -89.9; latitude <= 90; latitude += 11.3) degrees.push([longitude, latitude]);

describe.each(sphereProjections.map((p) => [p.id, p] as const))("%s", (id, projection) => {
  const peerScale = id === "perspective" ? SCALE * Math.sqrt((EYE + 1) / (EYE - 1)) : SCALE;

  test("agrees with d3-geo to half a pixel, turned any way", () => {
    const out = new Float64Array(3);
    let compared = 0;
    for (const [l, p, g] of [
      [0, 0, 0],
      [40, -25, 0],
      [-160, 70, 33],
    ] as const) {
      const peer = peers[id]!.rotate([l, p, g]).scale(peerScale).translate([0, 0]).precision(0);
      const raw = (place: [number, number]) => peer(place);
      // d3 turns around the pole first, then down, then around the axis of sight.
      const radians = (d: number) => (d * Math.PI) / 180;
      const turn = multiply(
        axisAngle([0, 0, 1], radians(g)),
        multiply(axisAngle([1, 0, 0], -radians(p)), axisAngle([0, 1, 0], radians(l))),
      );
      for (const place of degrees) {
        const v = rotate(turn, fromDegrees(...place));
        projection.forward(v[0], v[1], v[2], out);
        if (out[2]! <= 0) continue;
        const [x, y] = raw(place)!;
        expect(Math.hypot(out[0]! * SCALE - x, -out[1]! * SCALE - y), `${place} at ${[l, p, g]}`).toBeLessThan(0.5);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(400);
  });

  test("comes back from the plane", () => {
    const out = new Float64Array(3);
    for (const place of degrees) {
      const v = fromDegrees(...place);
      projection.forward(v[0], v[1], v[2], out);
      // At the limb the plane says little about the sphere.
      if (out[2]! <= 0.02) continue;
      const back = projection.inverse(out[0]! * (1 - 1e-12), out[1]! * (1 - 1e-12));
      expect(back, String(place)).not.toBeNull();
      expect(angle(back!, v)).toBeLessThan(1e-5);
    }
  });

  test("gives nothing outside of its outline", () => {
    expect(projection.inverse(projection.halfWidth * 1.01, 0)).toBeNull();
    expect(projection.inverse(0, projection.halfHeight * 1.01)).toBeNull();
  });
});

test("equal-area projections keep areas", () => {
  const out = new Float64Array(3);
  const place = (id: "fisheye" | "equalearth" | "mollweide", v: readonly [number, number, number]) => {
    projections[id].forward(v[0], v[1], v[2], out);
    return [out[0]!, out[1]!] as const;
  };
  const step = 1e-4;
  for (const id of ["fisheye", "equalearth", "mollweide"] as const)
    for (const [longitude, latitude] of [
      [10, 5],
      [100, 40],
      [-120, -70],
    ] as const) {
      const a = place(id, fromDegrees(longitude, latitude));
      const b = place(id, fromDegrees(longitude + step, latitude));
      const c = place(id, fromDegrees(longitude, latitude + step));
      const area = Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
      const truth = ((step * Math.PI) / 180) ** 2 * Math.cos((latitude * Math.PI) / 180);
      expect(area / truth).toBeCloseTo(1, 3);
    }
});

test("mollweide's equation is solved everywhere", () => {
  for (let s = 0; s <= Math.PI; s += s < 1e-3 ? 1e-4 : 1e-3) {
    const e = mollweideCap(s);
    // An error of 5e-6 in e is one of at most 1e-5 here.
    expect(Math.abs(e - Math.sin(e) - s)).toBeLessThan(1e-5);
  }
});

test("distances from the centre are true on the map of distances", () => {
  const out = new Float64Array(3);
  for (const degrees of [0, 1, 90, 179.9]) {
    const a = (degrees * Math.PI) / 180;
    projections.equidistant.forward(Math.sin(a) * 0.6, Math.sin(a) * 0.8, Math.cos(a), out);
    expect(Math.hypot(out[0]!, out[1]!)).toBeCloseTo(a, 12);
  }
});
