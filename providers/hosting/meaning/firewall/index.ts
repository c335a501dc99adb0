import type { Check } from '#kind';
import { isFirewallOff, reportFirewallsOff } from './firewall-off.ts';
import { denyingEntries } from './ip-entry.ts';
import { reportRedirectLoops } from './redirect-loop.ts';
import { ruleLists } from './rule.ts';
import { reportRulesForEverything, reportRulesForNothing } from './single-rule.ts';
import { compareRules, reportUnreached } from './unreachable.ts';

export { type FirewallTrace, traceFirewall } from './trace.ts';

/**
 * The checks of firewalls, as one check: comparing the rules of a firewall with each other takes most of the time, and several reports use
 * the result. Rules of a firewall that is off do nothing, so each problem of them is only a note.
 */
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
        const firewall = view.at(list.firewall);
        if (firewall && isFirewallOff(view, firewall)) {
          for (const finding of reportUnreached(compared))
            yield { ...finding, severity: 'note', message: `once the firewall is on, ${finding.message}` };
          for (const finding of reportRulesForNothing(compared)) yield { ...finding, severity: 'note' };
          continue;
        }
        yield* reportUnreached(compared);
        yield* reportRulesForEverything(compared, list, view);
        yield* reportRulesForNothing(compared);
        yield* reportRedirectLoops(compared, list, view);
      }
    },
  },
];
