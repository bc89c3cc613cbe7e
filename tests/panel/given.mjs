// What a test is given: the vectors as they are committed, and what the service's side wrote into the folder GIVEN names.

import { readFileSync } from "node:fs";

const VECTORS = new URL("../../contracts/vectors/", import.meta.url);

/** @param {string} rule */
export const vectors = (rule) => JSON.parse(readFileSync(new URL(`${rule}.json`, VECTORS), "utf8"));

/** @param {string} name */
export function given(name) {
  const folder = process.env["GIVEN"];
  if (!folder) {
    throw new Error("run by `in_node` of node.py, which names the folder in GIVEN");
  }
  return JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"));
}
