import type { Expand } from '../expressions/expand.ts';
import type { Each } from '../expressions/scope.ts';
import { describe, isPoisoned, type Node, type ScalarNode } from '../yaml/nodes.ts';
import type { ReportWithRelated } from './layer.ts';

/**
 * The members of what a `$each` goes over: a list, whose items are their own keys unless they are maps, or a map. None where that is
 * wrong, which is reported.
 */
export function readEachMembers(
  node: Node,
  expand: Expand,
  outer: Each | undefined,
  say: ReportWithRelated,
): Each[] {
  const over = expand(node);
  const around = outer ? { outer } : {};
  /** A name that is made with it would lack a part. */
  const isNamed = (key: ScalarNode): boolean => {
    if (key.text === '')
      say('each/no-key', 'this `$each` member has an empty key', key.at, 'give it a name, or remove it');
    return key.text !== '';
  };
  if (over.type === 'map')
    return over.entries
      .filter(({ key }) => isNamed(key))
      .map(({ key, value }) => ({ key, value, ...around }));
  if (over.type === 'list') {
    const first = new Map<string, Node>();
    const members: Each[] = [];
    for (const item of over.items) {
      if (holdsPoisoned(item) || (item.type === 'scalar' && !isNamed(item))) continue;
      const text = comparableText(item);
      const twin = text === undefined ? undefined : first.get(text);
      if (text === undefined)
        say(
          'each/member',
          '`$each` members must be known before the plan',
          item.at,
          'they cannot be secrets or references',
        );
      else if (twin)
        say('each/twice', 'duplicate member', item.at, 'both would make the same entry', [
          { message: 'the first one', at: twin.at },
        ]);
      else {
        first.set(text, item);
        members.push({ ...(item.type === 'scalar' ? { key: item } : {}), value: item, ...around });
      }
    }
    return members;
  }
  if (!isPoisoned(over))
    say(
      'each/value',
      `\`$each\` must be a list or a map, not ${describe(over)}`,
      node.at,
      '$each: "${var.sites}"',
    );
  return [];
}

/** True if something in a value could not be made out, which was reported. */
const holdsPoisoned = (node: Node): boolean =>
  node.type === 'list'
    ? node.items.some(holdsPoisoned)
    : node.type === 'map'
      ? node.entries.some(({ value }) => holdsPoisoned(value))
      : isPoisoned(node);

/** A value as text that two equal values share, whatever the order of keys; undefined where it is not known now. */
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

const joinTexts = (sign: string, texts: (string | undefined)[]): string | undefined =>
  texts.includes(undefined) ? undefined : `${sign}${texts.join(',')}`;

/** A few words for the member that an instance was made for; empty where there is none. */
export const memberNote = (each: { key?: ScalarNode } | undefined): string =>
  each?.key ? `, here for the member \`${each.key.text}\` of \`$each\`` : '';
