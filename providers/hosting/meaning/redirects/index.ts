import type { Check } from '#kind';
import { costlyPatterns } from './check-costly.ts';
import { redirectLoops } from './check-loops.ts';
import { shadowedRedirects } from './check-shadowed.ts';
import { unservedRedirects } from './check-unserved.ts';

/**
 * The checks of redirects and routes: endless or long ways, redirects that never answer, and destinations that no project serves. The last
 * one says what the others left out.
 */
export const redirectChecks: readonly Check[] = [
  redirectLoops,
  shadowedRedirects,
  unservedRedirects,
  costlyPatterns,
];
