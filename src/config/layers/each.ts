import type { Reporter } from '../../model/diagnostic.ts';
import type { Expand } from '../expressions/expand.ts';
import type { Each } from '../expressions/scope.ts';
import { describeNodeType, isPoisoned, type Node, type ScalarNode } from '../yaml/nodes.ts';

/**
 * Returns the members of the value of `$each`. A map has members with keys. The scalar items of a list are their own keys; maps and lists
 * in a list have none. Problems are reported, and then there may be fewer members.
 */
export function readEachMembers(
  node: Node,
  expand: Expand,
  outer: Each | undefined,
  report: Reporter,
): Each[] {
  const collection = expand(node);
  const around = outer ? { outer } : {};
  /** A name that is made with it would lack a part. */
  const hasKey = (key: ScalarNode): boolean => {
    if (key.text === '')
      report.error('each/no-key', 'this `$each` member has an empty key', {
        at: key,
        hint: 'give it a name, or remove it',
      });
    return key.text !== '';
  };
  if (collection.type === 'map')
    return collection.entries
      .filter(({ key }) => hasKey(key))
      .map(({ key, value }) => ({ key, value, ...around }));
  if (collection.type === 'list') {
    const first = new Map<string, Node>();
    const members: Each[] = [];
    for (const item of collection.items) {
      if (holdsPoisoned(item) || (item.type === 'scalar' && !hasKey(item))) continue;
      const itemText = comparableText(item);
      const twin = itemText === undefined ? undefined : first.get(itemText);
      if (itemText === undefined)
        report.error('each/member', '`$each` members must be known before the plan', {
          at: item,
          hint: 'they cannot be secrets or references',
        });
      else if (twin)
        report.error('each/twice', 'duplicate member', {
          at: item,
          hint: 'both would make the same entry',
          related: [{ message: 'the first one', at: twin.at }],
        });
      else {
        first.set(itemText, item);
        members.push({ ...(item.type === 'scalar' ? { key: item } : {}), value: item, ...around });
      }
    }
    return members;
  }
  if (!isPoisoned(collection))
    report.error('each/value', `\`$each\` must be a list or a map, not ${describeNodeType(collection)}`, {
      at: node,
      hint: '$each: "${var.sites}"',
    });
  return [];
}

/** True if some part of a value could not be determined, which was reported. */
const holdsPoisoned = (node: Node): boolean =>
  node.type === 'list'
    ? node.items.some(holdsPoisoned)
    : node.type === 'map'
      ? node.entries.some(({ value }) => holdsPoisoned(value))
      : isPoisoned(node);

/**
 * Returns a text that is the same for equal values, whatever the order of keys; undefined if the value is not known now. Used to find
 * duplicate members and to compare inputs.
 */
export function comparableText(node: Node): string | undefined {
  if (node.type === 'scalar') return JSON.stringify([typeof node.value, node.text]);
  if (node.type === 'list') return joinTexts('[', node.items.map(comparableText));
  if (node.type === 'map')
    return joinTexts(
      '{',
      [...node.entries]
        .sort((a, b) => (a.key.text < b.key.text ? -1 : 1))
        .map(({ key, value }) => {
          const text = comparableText(value);
          return text === undefined ? undefined : `${JSON.stringify(key.text)}:${text}`;
        }),
    );
  return undefined;
}

/** Joins the texts of members; undefined if one of them is not known. */
const joinTexts = (sign: string, texts: (string | undefined)[]): string | undefined =>
  texts.includes(undefined) ? undefined : `${sign}${texts.join(',')}`;

/** Returns a note about the member of `$each` that an instance was created for, for messages; empty if there is none. */
export const memberNote = (each: { key?: ScalarNode } | undefined): string =>
  each?.key ? `, here for the member \`${each.key.text}\` of \`$each\`` : '';
