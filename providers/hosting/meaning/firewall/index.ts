import type { Check } from '#kind';
import { activeRules } from './rule.ts';
import { reportRulesForEverything, reportRulesForNothing } from './single-rule.ts';
import { compareRules, reportUnreached } from './unreachable.ts';

export { type FirewallTrace, traceFirewall } from './trace.ts';

/** The checks of firewalls. */
export const firewallChecks: readonly Check[] = [
  {
    codes: [
      'firewall/duplicate',
      'firewall/invalid-pattern',
      'firewall/matches-everything',
      'firewall/never-matches',
      'firewall/unreachable',
    ],
    *find(view) {
      for (const { firewall, rules } of activeRules(view)) {
        const compared = compareRules(rules);
        yield* reportUnreached(compared);
        yield* reportRulesForEverything(compared, firewall, view);
        yield* reportRulesForNothing(compared);
      }
    },
  },
];
