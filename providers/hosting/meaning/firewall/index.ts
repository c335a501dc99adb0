import type { Check } from '#kind';
import { rulesForEverything, rulesForNothing } from './single-rule.ts';
import { unreachableRules } from './unreachable.ts';

/** The checks of firewalls. */
export const firewallChecks: readonly Check[] = [unreachableRules, rulesForEverything, rulesForNothing];
