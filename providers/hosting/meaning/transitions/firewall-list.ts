import { type Address, canonicalJson, revealed, type View, type ViewedObject } from '#kind';
import { readIpEntry } from '../firewall/ip-entry.ts';
import { mitigateOf, type Rule, readRule } from '../firewall/rule.ts';
import { type ListItem, passed } from './first-match.ts';

/** A rule or IP entry as an item of a first-match list. */
export interface FirewallItem extends ListItem {
  rule: Rule;
}

/** The list of a firewall, as far as it decides requests. */
export interface FirewallList {
  items: readonly FirewallItem[];
  /** A text that is equal for lists with the same IP entries, because the order of the entries is not documented. */
  entriesId: string;
  entries: readonly FirewallItem[];
  /** False if the view does not say whether the firewall is on. */
  isSwitchKnown: boolean;
}

const empty: FirewallList = { items: [], entriesId: '', entries: [], isSwitchKnown: true };

/**
 * Returns the list of the firewall of a project: its IP entries, then its rules. It is empty without a firewall, and if the firewall is
 * off.
 */
export function readFirewallList(view: View, project: Address): FirewallList {
  const [firewall] = view.under(project, 'firewall');
  if (!firewall || firewall.fields.firewallEnabled === false) return empty;
  const toItems = (objects: readonly ViewedObject[], read: (object: ViewedObject) => Rule) =>
    objects
      .filter(({ fields }) => fields.active !== false)
      .map((object) => toItem(object, read(object)))
      // A rule that only logs decides nothing.
      .filter(({ rule }) => rule.action !== 'log');
  const entries = toItems(view.under(firewall.address, 'firewallIp'), readIpEntry).sort(byMatch);
  const rules = toItems(view.under(firewall.address, 'firewallRule'), readRule);
  return {
    // Rules with a condition on the route run after the middleware, behind all others.
    items: [
      ...entries,
      ...rules.filter(({ rule }) => !rule.isLate),
      ...rules.filter(({ rule }) => rule.isLate),
    ],
    entries,
    entriesId: JSON.stringify(entries.map(({ matchId, effectId }) => [matchId, effectId])),
    isSwitchKnown: firewall.fields.firewallEnabled === true,
  };
}

const byMatch = (a: FirewallItem, b: FirewallItem): number =>
  a.matchId < b.matchId ? -1 : a.matchId > b.matchId ? 1 : a.effectId < b.effectId ? -1 : 1;

function toItem(object: ViewedObject, readable: Rule): FirewallItem {
  const { address, fields } = object;
  const isActiveKnown = readable.isEntry || fields.active === true;
  const groups = readable.groups ?? [[undefined]];
  const rule = { ...readable, groups: isActiveKnown ? groups : groups.map((group) => [...group, undefined]) };
  return { address, rule, matchId: matchIdOf(rule, fields), ...effectOf(rule, fields) };
}

/** Returns a text that is equal for rules with the same conditions. Secret values are compared in memory only. */
function matchIdOf({ groups, isLate, isEntry }: Rule, fields: ViewedObject['fields']): string {
  if (groups?.some((group) => group.includes(undefined)))
    return `unread ${canonicalJson(revealed(isEntry ? [fields.hostname, fields.ip] : [fields.active, fields.conditionGroup]))}`;
  const ids = (groups ?? []).map((group) => [...new Set(group.map((condition) => condition!.id))].sort());
  return `${isLate} ${JSON.stringify(ids.map((group) => JSON.stringify(group)).sort())}`;
}

/** Returns what a rule does to a request that it matches. How long it lasts does not count for denials and challenges. */
function effectOf(rule: Rule, fields: ViewedObject['fields']): Omit<ListItem, 'address' | 'matchId'> {
  const { action, effectId = canonicalJson(revealed(mitigateOf(fields))), isEntry } = rule;
  const final = { continues: 'no', isNoticed: true } as const;
  if (action === 'deny') return { effectId: 'deny', ...final };
  if (action === 'bypass' && !isEntry) return { effectId: passed.effectId, ...final };
  if (action === 'redirect') return { effectId, ...final };
  // No source says which of the later layers a bypass for an address skips, nor what an entry does after its challenge.
  if (isEntry) return { effectId: `entry ${effectId}`, continues: 'unknown', isNoticed: false };
  if (action === 'challenge') return { effectId: action, ...final };
  if (action === 'rate_limit') return { effectId, ...final };
  return { effectId, continues: 'unknown', isNoticed: false };
}
