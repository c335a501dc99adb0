import type { Check } from '#kind';
import { reportFirewallsOff } from './firewall-off.ts';
import { denyingEntries } from './ip-entry.ts';
import { reportRedirectLoops } from './redirect-loop.ts';
import { ruleLists } from './rule.ts';
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
      'firewall/off',
      'firewall/redirect-loop',
      'firewall/unreachable',
    ],
    *find(view) {
      yield* reportFirewallsOff(view);
      for (const list of ruleLists(view)) {
        const compared = compareRules(list.rules, denyingEntries(view, list.firewall));
        yield* reportUnreached(compared);
        yield* reportRulesForEverything(compared, list, view);
        yield* reportRulesForNothing(compared);
        yield* reportRedirectLoops(compared, list, view);
      }
    },
  },
];
