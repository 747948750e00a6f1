declare module "d3-geo-projection" {
  import type { GeoProjection } from "d3-geo";
  export function geoMollweide(): GeoProjection;
  export function geoSatellite(): GeoProjection & { distance(d: number): GeoProjection };
}
declare module "*.mjs";
