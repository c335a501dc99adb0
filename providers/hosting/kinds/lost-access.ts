import { type Change, canonicalJson, type Fields, type Value } from '#kind';

/*
 * Compares the visitors that a setting lets in before and after a change. Each function returns true if somebody may lose access, so that
 * the change needs the permission `remove-access`. It also returns true in doubt, because an unnecessary question harms less than a missing
 * one.
 */

/** True if a change removes a credential. A replacement does not count: it writes the new credential to the place of the old one. */
export const removesCredential = ({ action }: Change): boolean => action === 'delete';

/** A value that a claim of a token may have. `wildcards`: each `*` in it stands for any text. */
interface ClaimValue {
  value: string;
  wildcards?: boolean;
}

/** A claim that a token must have, with one of these values. */
export interface Claim {
  name: string;
  values: ClaimValue[];
}

/** True if a list that grants something lacks an item afterwards. `*` in it stands for every item, and so does an absent list. */
export function losesItems(before: Value | undefined, after: Value | undefined): boolean {
  const [old, current] = [before, after].map((list) => (list ?? ['*']) as Value[]) as [Value[], Value[]];
  const currentTexts = new Set(current.map(canonicalJson));
  return !current.includes('*') && old.some((item) => !currentTexts.has(canonicalJson(item)));
}

/** True if tokens that had all claims of `before` may lack one of `after`: another claim is needed, or a value is no longer accepted. */
export const acceptsFewer = (before: Claim[], after: Claim[]): boolean =>
  !after.every((claim) =>
    before.some(
      ({ name, values }) =>
        name === claim.name && values.every((old) => claim.values.some((value) => includesValue(value, old))),
    ),
  );

/** True if a claim's value accepts all texts that `old` accepted. A `*` in `old` is text that only a `*` can match. */
function includesValue({ value, wildcards }: ClaimValue, old: ClaimValue): boolean {
  if (wildcards !== true) return value === old.value && old.wildcards !== true;
  return matchesWildcards(String(value).split('*'), String(old.value));
}

/** True if a text consists of these parts in this order, with any text between them. The first part starts it, and the last one ends it. */
function matchesWildcards(parts: string[], text: string): boolean {
  const [first, last] = [parts[0]!, parts.at(-1)!];
  if (parts.length === 1) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false;
  const end = text.length - last.length;
  let position = first.length;
  for (const middlePart of parts.slice(1, -1)) {
    const start = text.indexOf(middlePart, position);
    if (start < 0 || start + middlePart.length > end) return false;
    position = start + middlePart.length;
  }
  return true;
}

/** A rule of a deployment policy: the sources that may deploy to some environments. */
interface PolicyRule {
  enabled: boolean;
  environments: Value[];
  sources: Value[];
}

/**
 * True if a list of rules in a deployment policy may stop a source that could deploy. Without a list, the policy of the team counts, which
 * is not known here.
 */
export function refusesMore(before: Value | undefined, after: Value | undefined): boolean {
  const enabledIn = (list: Value | undefined) =>
    ((list ?? []) as unknown as PolicyRule[]).filter(({ enabled }) => enabled);
  if (after === null || after === undefined) return before !== null && before !== undefined;
  const [old, current] = [enabledIn(before), enabledIn(after)];
  return !current.every(({ environments, sources }) =>
    old.some(
      (rule) =>
        !losesItems(rule.environments, environments) &&
        !losesItems(environments, rule.environments) &&
        rule.sources.every((source) => sources.some((wider) => includesSource(wider, source))),
    ),
  );
}

/** True if a source in a rule is another one or includes it, as an owner without a repository includes all repositories of the owner. */
const includesSource = (wider: Value, source: Value): boolean =>
  typeof wider === 'object' && typeof source === 'object'
    ? Object.entries(wider as Fields).every(([name, value]) => (source as Fields)[name] === value)
    : wider === source;
