import type { Finding, View, ViewedObject } from '#kind';

/**
 * True if a firewall is known to be off, so that its rules do nothing: checks then report problems of the rules only as notes. The account
 * reports a firewall that was not configured yet as off. So the firewall of a project that the plan creates is off unless the configuration
 * turns it on. Without an account (`validate`, where a view has no `before`), a firewall whose state is not declared may be on.
 */
export function isFirewallOff({ before }: View, { parent, fields }: ViewedObject): boolean {
  const isInNewProject = before !== undefined && parent !== undefined && before.at(parent) === undefined;
  return fields.firewallEnabled === false || (fields.firewallEnabled === undefined && isInNewProject);
}

/**
 * Reports declared firewalls that are off although they have active rules, or IP entries that deny: these have no effect until it is on.
 */
export function* reportFirewallsOff(view: View): Generator<Finding> {
  for (const firewall of view.ofKind('firewall')) {
    const { address, parent, isDeclared } = firewall;
    if (!isDeclared || !isFirewallOff(view, firewall)) continue;
    const rules = view.under(address, 'firewallRule').filter((rule) => rule.fields.active === true);
    const entries = view.under(address, 'firewallIp').filter((entry) => entry.fields.action === 'deny');
    const parts = [
      count(rules.length, 'active rule', 'active rules'),
      count(entries.length, 'IP entry', 'IP entries'),
    ];
    if (rules.length + entries.length === 0) continue;
    yield {
      code: 'firewall/off',
      severity: 'note',
      message: `the firewall of ${parent} is off, so its ${parts.filter(Boolean).join(' and ')} ${rules.length + entries.length === 1 ? 'does' : 'do'} nothing`,
      hint: 'set `firewallEnabled: true` if they should apply',
      address,
      path: 'firewallEnabled',
      related: [...rules, ...entries]
        .slice(0, 3)
        .map((object) => ({ message: 'has no effect', address: object.address })),
    };
  }
}

const count = (number: number, one: string, several: string): string =>
  number === 0 ? '' : `${number} ${number === 1 ? one : several}`;
