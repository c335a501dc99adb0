import { canDo, isSingleton, lineage, namesOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Limit, limitsOf } from '../kind/limits.ts';
import type { ExtraOperation } from '../kind/provider.ts';
import { blockPath, namePlaceholder, sectionPath } from '../kind/section-path.ts';
import { referenceOf, traitsOf } from '../kind/traits.ts';
import { type Address, addressOf } from '../model/address.ts';
import type { RuleBasis } from '../model/rehearsal.ts';
import { type Fields, isPlainObject } from '../model/value.ts';
import { formatEvidence, operationOf } from './coverage.ts';
import { type FieldManual, fieldsOf } from './fields.ts';
import { type KindRequest, requestsOf } from './kind-requests.ts';
import { type MetaKey, metaKeysOf } from './meta-keys.ts';

/** The manual page of a kind, as data. */
export interface KindManual {
  name: string;
  doc: string;
  /** The place of a block in the YAML: `projects.NAME.env.KEY`. */
  path: string;
  /** The form of its section in the YAML: `a map with one entry per ...`. */
  form: string[];
  /** What an address looks like: `projects/NAME/env/KEY@TARGET`. */
  address: Address;
  /** How a live object is matched with its block, in sentences. */
  key: string;
  fields: FieldManual[];
  removal: RemovalManual;
  replacement: string;
  /** The limits of the platform for it, and their price. */
  limits: Limit[];
  order: string[];
  metaKeys: MetaKey[];
  example?: string;
  /** The addresses that the example declares, of this kind only. */
  exampleAddresses: Address[];
  /** The requests; `outsideCatalog` says which client shows a request that the published catalog does not have. */
  requests: (KindRequest & { outsideCatalog?: string })[];
  /** How the twin's rules of the kind are known, on which rehearsals and tests rely. */
  rules: RulesManual;
  /** The kinds to read about next, each with the reason. */
  related: { kind: string; path: string; why: string }[];
}

/** The section about the rules of the twin. */
export interface RulesManual {
  basis: RuleBasis;
  words: string;
  /** The documented and measured facts. */
  facts: { id: string; statement: string }[];
  /** What the twin does although no source confirms it. */
  assumptions: string[];
}

/** The facts and assumptions behind the twin's rules of a kind, as far as the manual page shows them. */
interface RuleEvidence {
  basis: RuleBasis;
  facts: readonly { id: string; statement: string }[];
  assumptions: readonly { statement: string }[];
}

const basisWords: Record<RuleBasis, string> = {
  documented: 'Documented: the documentation of the platform has rules about changes of this kind.',
  measured: 'Measured: rules about changes of this kind were seen in answers of the platform.',
  inferred:
    'Inferred: the published form of the requests is known, and no source confirms further rules about changes of this kind.',
};

/**
 * Returns the section about the rules by which the twin (a local copy of the platform) imitates a kind. Its words say how far a rehearsal
 * with this kind can be trusted.
 */
const rulesManual = ({ basis, facts, assumptions }: RuleEvidence): RulesManual => ({
  basis,
  words: basisWords[basis],
  facts: facts.map(({ id, statement }) => ({ id, statement })),
  assumptions: assumptions.map(({ statement }) => statement),
});

/**
 * Derives the manual page of a kind (object type) from its declaration, so that the page cannot be outdated. `exampleAddresses`: the
 * addresses of the objects of this kind that its example declares. `extraOperations`: the API operations outside the platform's published
 * list, which the page marks. `rules`: how the rules are known by which the twin (a local copy of the platform) imitates the kind.
 */
export function kindManual(
  kinds: Kinds,
  kind: Kind,
  {
    exampleAddresses,
    extraOperations,
    rules,
  }: { exampleAddresses: Address[]; extraOperations: readonly ExtraOperation[]; rules: RuleEvidence },
): KindManual {
  return {
    name: kind.name,
    doc: kind.doc,
    path: blockPath(kinds, kind),
    form: formWords(kind),
    address: addressForm(kinds, kind),
    key: describeKey(kinds, kind),
    fields: fieldsOf(kind),
    removal: removalOf(kinds, kind),
    replacement: replacementWords(kind),
    limits: limitsOf(kind),
    order: orderWords(kinds, kind),
    metaKeys: metaKeysOf(kinds, kind),
    example: kind.example && `${exampleOf(kinds, kind)}\n`,
    exampleAddresses,
    requests: requestsOf(kind).map((request) => markOutsideCatalog(request, extraOperations)),
    rules: rulesManual(rules),
    related: relatedTo(kinds, kind),
  };
}

/**
 * Adds the evidence for an API operation (the client that is known to send it) to a request of a kind, if the platform's published list of
 * operations (the catalog) does not contain it. The platform can change such an operation without notice, so the manual page marks it.
 */
function markOutsideCatalog(
  request: KindRequest,
  extraOperations: readonly ExtraOperation[],
): KindManual['requests'][number] {
  // The searched operations are all of this type, so the found one is, too.
  const operation = operationOf(request.endpoint, extraOperations) as ExtraOperation | undefined;
  return operation ? { ...request, outsideCatalog: formatEvidence(operation) } : request;
}

/**
 * Lists the other kinds (types of objects) that the reader of a kind's manual page may need next, each with the
 * reason. Shown in its section SEE ALSO.
 */
function relatedTo(kinds: Kinds, kind: Kind): KindManual['related'] {
  const refersTo = (from: Kind, to: Kind) =>
    Object.values(from.fields).some((schema) => referenceOf(schema) === to.name);
  return [...kinds.values()].flatMap((other) => {
    const reasons = [
      other.name === kind.parent && 'its parent',
      other.parent === kind.name && 'its child',
      refersTo(kind, other) && 'referenced by it',
      refersTo(other, kind) && 'refers to it',
      other.section === kind.section && 'a section of the same name',
    ].filter(Boolean);
    return other === kind || reasons.length === 0
      ? []
      : { kind: other.name, path: sectionPath(kinds, other), why: reasons.join(', ') };
  });
}

/** Explains how a live object of a kind is identified, and if needed, what happens to undeclared ones. */
const describeKey = (kinds: Kinds, kind: Kind): string =>
  kind.shape.onlyDeclared === true
    ? `${identityWords(kinds, kind)} Undeclared ones are left alone and not exported.`
    : identityWords(kinds, kind);

/**
 * Returns the text of the section NATURAL KEY on the manual page of a kind: by which fields an object in the
 * account is matched with its block in the YAML, and what happens if several match.
 */
function identityWords(kinds: Kinds, kind: Kind): string {
  const home = homeOf(kinds, kind);
  const within = kind.parent === undefined ? 'the account' : `one ${home}`;
  const names = kind.key.map((name) => `\`${name}\``).join(' and ');
  const shapeWords = kind.shape.keyWords?.(kind, within);
  if (shapeWords !== undefined) return shapeWords;
  if (isSingleton(kind)) return `No key: there is one for each ${home}.`;
  const addressFields = kind.shape.addressFields.map((name) => `\`${name}\``).join(' or ');
  const identifyingNames = addressFields ? `${names}, separately for each ${addressFields}` : names;
  return `${identifyingNames}, within ${within}. If several live objects match, the plan fails until \`$id\` selects one; after an apply, it is matched by its id.`;
}

/** The fate of an object whose block is removed from the YAML: a word, and sentences. */
interface RemovalManual {
  outcome: 'deleted' | 'released' | 'kept';
  words: string;
}

/**
 * Returns what happens to an object whose block is removed from the YAML, for the manual page of its kind: it is
 * kept, released (no longer managed) or deleted.
 */
function removalOf(kinds: Kinds, kind: Kind): RemovalManual {
  const container = lineage(kinds, kind.parent).find(({ lifecycle }) => lifecycle.container);
  if (kind.lifecycle.container) {
    const released = 'trueup stops managing it and its contents; both stay as they are.';
    const deleted =
      'It is deleted only if `removed` of the header names it with `delete: true` when its block goes.';
    return { outcome: 'released', words: canDo(kind, 'delete') ? `${released} ${deleted}` : released };
  }
  if (!canDo(kind, 'delete'))
    return {
      outcome: 'kept',
      words: 'trueup stops managing it. It stays as it is, because the platform cannot delete it.',
    };
  const withIt = container
    ? ` If its ${container.name} is removed as well, both are kept or both are deleted.`
    : '';
  return { outcome: 'deleted', words: `It is deleted if this stack applied it.${withIt}` };
}

/**
 * Returns the text of the section REPLACEMENT on the manual page of a kind: what happens if the platform cannot
 * make a change in place, so that an object would have to be deleted and created again, and could lose its data.
 */
function replacementWords(kind: Kind): string {
  const immutableFields = Object.entries(kind.fields).filter(([, schema]) => traitsOf(schema).immutable);
  if (canDo(kind, 'update') && immutableFields.length === 0)
    return 'Never: every field can be changed in place.';
  const change = canDo(kind, 'update')
    ? `A change of ${immutableFields.map(([name]) => `\`${name}\``).join(', ')}`
    : 'Any change';
  if (kind.lifecycle.replace === 'never')
    return `${change} is rejected: trueup never deletes objects of this kind in order to change them.`;
  if (kind.lifecycle.replace === 'free')
    return `${change} deletes and recreates it without asking, since nothing is lost.`;
  return `${change} requires deleting and recreating it. The plan rejects that unless the block has \`$replace: allow\`, since data that only the platform has would be lost.`;
}

/**
 * Returns the sentences of the section ORDER on the manual page of a kind: changes that run one at a time (in one
 * lane), objects that are created only after others, and lists whose order decides. Empty if none of these applies.
 */
function orderWords(kinds: Kinds, kind: Kind): string[] {
  const { lane, after = [] } = kind.lifecycle;
  const laneMates = [...kinds.values()].filter((other) => other.lifecycle.lane === lane && other !== kind);
  const together = laneMates.map(({ name }) => name).join(', ');
  return [
    lane !== undefined &&
      `Changes are made one at a time${together && `, together with those of ${together}`}; if one fails, the rest are skipped.`,
    ...after.map((name) =>
      name === kind.parent
        ? `Created and changed after the changes to its ${name}, and deleted before them.`
        : `Created and changed after the ${name} in the same ${homeOf(kinds, kind)}, and deleted before it.`,
    ),
    ...kind.shape.words({ isHidden: false }),
  ].filter((line) => line !== false);
}

/**
 * Returns the example on the manual page of a kind as YAML from the root, so that the reader sees the whole path;
 * undefined if there is none. An example that is data, not text, goes into the section of the kind, inside the
 * object of the parent's example.
 */
export function exampleOf(kinds: Kinds, { example, section, parent }: Kind): string | undefined {
  if (example === undefined || typeof example === 'string') return example?.trim();
  const parentLines = [...parentLinesOf(kinds, parent), `${section}:`];
  const entries = Object.entries(example).map(([name, value]) => `${formatFlow(name)}: ${formatFlow(value)}`);
  const lines = parentLines.map((line, depth) => '  '.repeat(depth) + line);
  return [...lines, ...entries.map((entry) => '  '.repeat(parentLines.length) + entry)].join('\n');
}

/**
 * Returns the lines of YAML above the example of a kind on its manual page, so that the reader sees where the example belongs: for each
 * kind from the root down to `name` (the parent kind) its section and the name of the object in its own example, such as `projects:`,
 * `web:`. A kind without names (a parent has only one object of it) gives only its section. The caller indents the lines.
 */
function parentLinesOf(kinds: Kinds, name: string | undefined): string[] {
  const kind = name === undefined ? undefined : kinds.get(name);
  if (kind === undefined) return [];
  const section = [...parentLinesOf(kinds, kind.parent), `${kind.section}:`];
  if (isSingleton(kind)) return section;
  // The example begins with the lines of `section`, so the next line has the name of its first object.
  const first = exampleOf(kinds, kind)?.split('\n')[section.length] ?? '';
  return [...section, `${first.trim().replace(/:( .*)?$/, '')}:`];
}

/**
 * Formats a value of an example for the manual page on one line, in YAML's flow notation. Examples are data in the declaration of a kind.
 */
function formatFlow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatFlow).join(', ')}]`;
  if (!isPlainObject(value)) return isPlainScalar(value) ? String(value) : JSON.stringify(value);
  const members = Object.entries(value).map(([name, inner]) => `${formatFlow(name)}: ${formatFlow(inner)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/**
 * True for a value that YAML reads back as the same value if it is written without quotes. In an example on a
 * manual page, all other values are quoted. Plain are `web`, `./dist` and `a:b`; not `a: b`, `12` and `yes` as texts.
 */
function isPlainScalar(value: unknown): boolean {
  if (typeof value !== 'string') return true;
  // A colon is plain unless a space or the end follows it.
  const hasPlainCharacters = /^[\w$./](?:[\w ./@$-]|:(?=\S))*$/.test(value);
  const isNumber = !Number.isNaN(Number(value));
  const isReservedWord = /^(true|false|null|yes|no|on|off)$/i.test(value);
  return hasPlainCharacters && !isNumber && !isReservedWord;
}

/**
 * Returns the form of the addresses of a kind's objects, for its manual page: `projects/NAME/env/KEY@TARGET`. The name of an object is made
 * of its key fields and of one of the `addressFields`, such as the target of a variable.
 */
function addressForm(kinds: Kinds, kind: Kind): Address {
  const above = kind.parent === undefined ? undefined : kinds.get(kind.parent);
  // Each of the `addressFields` has the same place in the address, so the first stands for all.
  const addressFields = [...kind.key, ...kind.shape.addressFields.slice(0, 1)];
  const fields: Fields = Object.fromEntries(addressFields.map((name) => [name, namePlaceholder(name)]));
  return addressOf(above && addressForm(kinds, above), kind.section, namesOf(kind, fields));
}

/**
 * Returns what the YAML section of a kind holds, for the line `form` of its manual page: `a single block`, `a list,
 * in any order`, or `a map with one entry per NAME`, and how a block can be abbreviated.
 */
function formWords(kind: Kind): string[] {
  if (isSingleton(kind)) return ['a single block'];
  if (kind.yaml.mapBy === undefined)
    return [kind.shape.orderDecides ? 'an ordered list' : 'a list, in any order'];
  const short = kind.yaml.shorthand?.('VALUE');
  const members = Object.entries(short ?? {}).map(([name, value]) => `${name}: ${value}`);
  return [
    `a map with one entry per \`${kind.yaml.mapBy}\``,
    ...(kind.yaml.manyPerKey ? ['an entry may be a list'] : []),
    ...(short ? [`a bare VALUE is short for { ${members.join(', ')} }`] : []),
  ];
}

/** Returns the name of the kind whose objects contain those of this kind, for sentences: `project`, or `account` at the top. */
const homeOf = (kinds: Kinds, kind: Kind): string => lineage(kinds, kind.parent)[0]?.name ?? 'account';
