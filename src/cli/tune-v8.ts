import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 wait longer before it optimizes a function: most of a run is over before that pays, and the optimizer, which works beside
 * it, takes a third of the processor's time. Only the one of Node 20: newer ones have other flags, and a compiler in between.
 * What is compiled already fits to no other flags, so this comes when the program and Node's own modules are loaded.
 */
export function tuneV8(): void {
  if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=400000');
}
