/**
 * Reads `$each`, which creates an instance of an entry for each member of a list or map.
 *
 *   member   an item of the list, or an entry of the map. `${each.key}` and `${each.value}` stand for it in the instance.
 */
import type { Reporter } from '../../model/diagnostic.ts';
import type { Expand } from '../expressions/expand.ts';
import type { Each } from '../expressions/scope.ts';
import { describeNodeType, isPoisoned, type Node, type ScalarNode } from '../yaml/nodes.ts';

/**
 * Returns the members of the value of `$each`. The merger creates one instance of the entry for each of them. One
 * resource is created for each member. The entries of a map have keys. The scalar items of a list are their own keys;
 * maps and lists in a list have none. Reports values that cannot be members, and leaves them out. `outer`: the member
 * of the `$each` around this one.
 */
export function readEachMembers(
  node: Node,
  expand: Expand,
  outer: Each | undefined,
  report: Reporter,
): Each[] {
  const collection = expand(node);
  if (collection.type === 'map')
    return collection.entries
      .filter(({ key }) => hasKeyText(key, report))
      .map(({ key, value }) => ({ key, value, outer }));
  if (collection.type === 'list')
    return readItems(collection.items, report).map((item) => ({
      key: item.type === 'scalar' ? item : undefined,
      value: item,
      outer,
    }));
  if (!isPoisoned(collection))
    report.error('each/value', `\`$each\` must be a list or a map, not ${describeNodeType(collection)}`, {
      at: node,
      hint: '$each: "${var.sites}"',
    });
  return [];
}

/**
 * Returns the items of a list that can be members of a `$each`. Reports empty and duplicate items, because their resources would have no
 * name or the same name, and items whose value only a plan has.
 */
function readItems(items: Node[], report: Reporter): Node[] {
  const itemByText = new Map<string, Node>();
  return items.filter((item) => {
    if (hasPoisonedPart(item) || (item.type === 'scalar' && !hasKeyText(item, report))) return false;
    const text = comparableNodeText(item);
    const equalItem = text === undefined ? undefined : itemByText.get(text);
    if (text === undefined)
      report.error('each/member', '`$each` members must be known before the plan', {
        at: item,
        hint: 'they cannot be secrets or references',
      });
    else if (equalItem)
      report.error('each/twice', 'duplicate member', {
        at: item,
        hint: 'both would make the same entry',
        related: [{ message: 'the first one', at: equalItem.at }],
      });
    else itemByText.set(text, item);
    return text !== undefined && !equalItem;
  });
}

/** True if the key of a `$each` member is not empty. Reports an empty one, because a name with `${each.key}` would be incomplete. */
function hasKeyText(key: ScalarNode, report: Reporter): boolean {
  if (key.text === '')
    report.error('each/no-key', 'this `$each` member has an empty key', {
      at: key,
      hint: 'give it a name, or remove it',
    });
  return key.text !== '';
}

/**
 * True if a part of a value could not be determined. This was reported before, so such values are skipped without another report.
 */
function hasPoisonedPart(node: Node): boolean {
  if (node.type === 'list') return node.items.some(hasPoisonedPart);
  if (node.type === 'map') return node.entries.some(({ value }) => hasPoisonedPart(value));
  return isPoisoned(node);
}

/**
 * Returns a text that is equal for equal values in any order of keys; undefined if the value contains a secret or reference, because only a
 * plan has its value. Used to find duplicate members and to compare the inputs of templates.
 */
export function comparableNodeText(node: Node): string | undefined {
  if (node.type === 'scalar') return JSON.stringify([typeof node.value, node.text]);
  if (node.type === 'list') return joinTexts('[', node.items.map(comparableNodeText));
  if (node.type === 'map')
    return joinTexts(
      '{',
      [...node.entries]
        .sort((a, b) => (a.key.text < b.key.text ? -1 : 1))
        .map(({ key, value }) => {
          const text = comparableNodeText(value);
          return text === undefined ? undefined : `${JSON.stringify(key.text)}:${text}`;
        }),
    );
  return undefined;
}

/** Returns the text of a list or map from the texts of its members; undefined if one of them is. `sign`: the first character. */
const joinTexts = (sign: string, texts: (string | undefined)[]): string | undefined =>
  texts.includes(undefined) ? undefined : `${sign}${texts.join(',')}`;

/** Returns a note for messages about the `$each` member for which an entry was created; empty if there is none. */
export const memberNote = (each: { key?: ScalarNode } | undefined): string =>
  each?.key ? `, here for the member \`${each.key.text}\` of \`$each\`` : '';
