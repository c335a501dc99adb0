import type { Check } from '#kind';
import { redirectLoops } from './check-loops.ts';

/** The checks of redirects and routes. */
export const redirectChecks: readonly Check[] = [redirectLoops];
