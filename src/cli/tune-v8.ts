import { setFlagsFromString } from 'node:v8';

/** Only of Node 20: newer ones have other flags, and a compiler in between. */
function setBudget(bytes: number): void {
  if (process.versions.v8.startsWith('11.')) setFlagsFromString(`--interrupt-budget=${bytes}`);
}

/**
 * Has V8 wait longer before it optimizes a function: most of a run is over before that pays, and the optimizer, which works beside
 * it, takes a third of the processor's time.
 */
export const optimizeLater = (): void => setBudget(400_000);

/** As V8 does by itself. Code that was compiled before (the program's parts, Node's own modules) is loaded with no other flags. */
export const optimizeAsUsual = (): void => setBudget(66 * 1024);
