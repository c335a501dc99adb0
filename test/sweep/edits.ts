import fc from 'fast-check';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import { type Block, samples } from '../support/samples.ts';
import { kinds } from '../support/world.ts';
import { type Part, partKey, type Renames, renamesOf, variantsOf } from './parts.ts';

/** A configuration on its way: what it declares, and what was renamed last. */
export interface Draft {
  parts: Part[];
  renames: Renames;
  /** What blocks are added of: few kinds, so that they meet each other. */
  kinds: string[];
}

/** One edit, and how what it leads to is planned. Numbers choose among what is there by then. */
export interface Edit {
  what: keyof typeof edits;
  a: number;
  b: number;
  c: number;
}

const labels = ['a', 'b', 'c', 'd'];
/** One of these; undefined of none. */
export const pick = <T>(from: readonly T[], number: number): T => from[number % from.length]!;

/** What can stand in a block of this kind. */
function metaOf(kind: string, number: number): Block {
  const sections = allKinds.filter((one) => one.parent === kind).map((one) => one.section);
  const choices: Block[] = [
    {},
    { $protect: true },
    { $existing: true },
    { $replace: 'allow' },
    ...(sections.length > 0
      ? [
          { $exclusive: sections },
          { $exclusive: [pick(sections, number)] },
          { $exclusive: sections, $existing: true },
        ]
      : []),
  ];
  return pick(choices, number);
}

/**
 * A target of a drain or of alerts takes not just any two leaves, nor does a rule or a policy of one type, and the names of a certificate are those
 * in what is uploaded.
 */
const takesOne = ['drain', 'certificate', 'alertNotification', 'alertRule', 'oidcPolicy'];

/** A part with as many leaves as a block usually has. */
function partOf(kind: string, b: number, c: number): Part {
  const paths = Object.keys(samples[kind]!.leaves);
  const chosen =
    paths.length === 0
      ? []
      : [pick(paths, b), pick(paths, b + c)].slice(0, c % (takesOne.includes(kind) ? 2 : 3));
  return {
    kind,
    label: pick(labels.slice(0, 2), b),
    variant: c % variantsOf(kind),
    leaves: Object.fromEntries(chosen.map((path, index) => [path, ((c + index) % 2) as 0 | 1])),
    meta: {},
  };
}

/** A variable: what `type` and `target` mean something for. */
const isVariable = ({ kind }: Part) => kind === 'projectEnvVar' || kind === 'sharedEnvVar';
const types = [undefined, 'plain', 'encrypted', 'sensitive'];

/** The leaves with the next one of two values, or none, at this path. */
function turned(leaves: Part['leaves'], path: string, number: number): Part['leaves'] {
  const { [path]: _, ...others } = leaves;
  const side = pick([undefined, 0, 1] as const, number);
  return side === undefined ? others : { ...others, [path]: side };
}

const without = (parts: Part[], part: Part) => parts.filter((one) => partKey(one) !== partKey(part));
const edited = (draft: Draft, parts: Part[]): Draft => ({ ...draft, parts });

/** Every sort of edit. */
const edits = {
  /** A block more, or another one in its place. */
  add(draft: Draft, { a, b, c }: Edit): Draft {
    const part = partOf(pick(draft.kinds, a), b, c);
    const labelled = { ...part, label: labelIn(draft, part.label, b) };
    return edited(draft, [...without(draft.parts, labelled), labelled]);
  },
  /** Other fields in a block. */
  change(draft: Draft, { a, b, c }: Edit): Draft {
    const part = pick(draft.parts, a);
    if (!part) return draft;
    const { leaves } = partOf(part.kind, b, c);
    return edited(draft, [...without(draft.parts, part), { ...part, leaves }]);
  },
  /** The other value in each field of a block. */
  flip(draft: Draft, { a }: Edit): Draft {
    const part = pick(draft.parts, a);
    if (!part) return draft;
    const flipped = Object.entries(part.leaves).map(([path, side]) => [path, 1 - side]);
    return edited(draft, [...without(draft.parts, part), { ...part, leaves: Object.fromEntries(flipped) }]);
  },
  /** `$` keys. */
  mark(draft: Draft, { a, b }: Edit): Draft {
    const part = pick(draft.parts, a);
    if (!part) return draft;
    return edited(draft, [...without(draft.parts, part), { ...part, meta: metaOf(part.kind, b) }]);
  },
  remove(draft: Draft, { a }: Edit): Draft {
    const part = pick(draft.parts, a);
    return part ? edited(draft, without(draft.parts, part)) : draft;
  },
  /** All blocks of a kind, or all of a label. */
  drop(draft: Draft, { a, b }: Edit): Draft {
    const part = pick(draft.parts, a);
    if (!part) return draft;
    const stays = (one: Part) => (b % 2 === 0 ? one.kind !== part.kind : one.label !== part.label);
    return edited(draft, draft.parts.filter(stays));
  },
  /** A label gets another name; with `$was`, or as one that goes and one that comes. */
  rename(draft: Draft, { a, b, c }: Edit): Draft {
    const { parts } = draft;
    const part = pick(parts, a);
    const free = labels.filter((label) => !parts.some((one) => one.label === label));
    if (!part || free.length === 0) return draft;
    const to = pick(free, b);
    const now = (label: string) => (label === part.label ? to : label);
    const moved = parts.map((one) => ({
      ...one,
      label: now(one.label),
      ...(one.home === undefined ? {} : { home: now(one.home) }),
    }));
    return { ...draft, parts: moved, renames: c % 4 === 0 ? new Map() : new Map([[to, part.label]]) };
  },
  /** An object gets another name beside its siblings, with `$was` or without. */
  renameOne(draft: Draft, { a, b, c }: Edit): Draft {
    const part = pick(
      draft.parts.filter(({ kind }) => renamesOf(kind).length > 0),
      a,
    );
    if (!part) return draft;
    const isFree = (variant: number) =>
      !draft.parts.some((one) => partKey(one) === partKey({ ...part, variant }));
    const variant = pick(renamesOf(part.kind).filter(isFree), b);
    if (variant === undefined) return draft;
    const { was: _, ...rest } = part;
    const renamed = { ...rest, variant, ...(c % 4 === 0 ? {} : { was: part.variant }) };
    return edited(
      draft,
      draft.parts.map((one) => (one === part ? renamed : one)),
    );
  },
  /** A variable gets another type, with a new value or without. */
  retype(draft: Draft, { a, b, c }: Edit): Draft {
    const part = pick(draft.parts.filter(isVariable), a);
    if (!part) return draft;
    const { type: _, ...rest } = part;
    const type = pick(types, b);
    const { type: __, ...leaves } = c % 2 === 0 ? turned(part.leaves, 'value', c) : part.leaves;
    const other = { ...rest, leaves, ...(type === undefined ? {} : { type }) };
    return edited(
      draft,
      draft.parts.map((one) => (one === part ? other : one)),
    );
  },
  /** A variable moves to other targets, or to and from a custom environment. */
  retarget(draft: Draft, { a, b, c }: Edit): Draft {
    const part = pick(draft.parts.filter(isVariable), a);
    if (!part) return draft;
    const inEnvironment = part.kind === 'projectEnvVar' && c % 3 === 0;
    const leaves = turned(part.leaves, inEnvironment ? 'customEnvironmentIds' : 'target', b);
    return edited(
      draft,
      draft.parts.map((one) => (one === part ? { ...one, leaves } : one)),
    );
  },
  /** A domain, with those that it redirects to, is of another project. */
  rehome(draft: Draft, { a, b }: Edit): Draft {
    const part = pick(
      draft.parts.filter(({ kind }) => kind === 'projectDomain'),
      a,
    );
    if (!part) return draft;
    const { home: _, ...rest } = part;
    const home = pick(labels, b);
    const moved = home === part.label ? rest : { ...rest, home };
    return edited(
      draft,
      draft.parts.map((one) => (one === part ? moved : one)),
    );
  },
  /** A block stands elsewhere among all: what is ordered changes places. */
  move(draft: Draft, { a, b }: Edit): Draft {
    const part = pick(draft.parts, a);
    if (!part) return draft;
    const others = without(draft.parts, part);
    return edited(draft, others.toSpliced(b % (others.length + 1), 0, part));
  },
  /** A `$was` is history after a while. */
  forgetRenames: ({ parts, ...draft }: Draft): Draft => ({
    ...draft,
    parts: parts.map(({ was: _, ...one }) => one),
    renames: new Map(),
  }),
  /** Nothing: what somebody did to the account meets the same configuration. */
  nothing: (draft: Draft): Draft => draft,
};

/** One of the two labels that are in use, or a second one. */
function labelIn({ parts }: Draft, label: string, number: number): string {
  const used = [...new Set(parts.map((one) => one.label))].sort();
  return used.length < 2 ? label : pick(used, number);
}

export const draftAfter = (draft: Draft, edit: Edit): Draft => edits[edit.what](draft, edit);

/** Chooses among what is there. */
export const anyNumber = fc.nat(10_000);

export const edit: fc.Arbitrary<Edit> = fc.record({
  what: fc.constantFrom<keyof typeof edits>(
    ...([
      'add',
      'add',
      'add',
      'add',
      'add',
      'change',
      'change',
      'flip',
      'flip',
      'mark',
      'mark',
      'remove',
      'remove',
      'drop',
    ] as const),
    ...(['rename', 'rename', 'renameOne', 'renameOne', 'renameOne', 'renameOne'] as const),
    ...(['forgetRenames', 'nothing'] as const),
    ...(['retype', 'retype', 'retarget', 'retarget', 'move', 'move', 'rehome', 'rehome'] as const),
  ),
  a: anyNumber,
  b: anyNumber,
  c: anyNumber,
});

/** How a plan is asked for: mostly plainly. */
export interface Asked {
  how: 'plainly' | 'deletion' | 'target' | 'exclude' | 'destroy' | 'lost ledger';
  a: number;
  maxDeletions: number | undefined;
  /** What somebody else does to the account before. */
  outside: number[];
}

export const asked: fc.Arbitrary<Asked> = fc.record({
  how: fc.constantFrom<Asked['how']>(
    ...(['plainly', 'plainly', 'plainly', 'plainly', 'plainly', 'deletion', 'deletion'] as const),
    ...(['target', 'exclude', 'destroy', 'lost ledger'] as const),
  ),
  a: anyNumber,
  maxDeletions: fc.constantFrom(undefined, 1000, 1000, 2),
  outside: fc.oneof(
    fc.constant<number[]>([]),
    fc.constant<number[]>([]),
    fc.array(anyNumber, { maxLength: 2 }),
  ),
});

/** The options of a plan; what they name is in the ledger. */
export function optionsFor({ how, a, maxDeletions }: Asked, { entries }: Ledger): PlanOptions {
  const addresses = Object.keys(entries).sort();
  const owned = addresses.filter((address) => kinds.get(entries[address]!.kind)!.lifecycle.container);
  const limits = { overwriteConflicts: true, ...(maxDeletions === undefined ? {} : { maxDeletions }) };
  const some = (from: string[]) => (from.length === 0 ? [] : [pick(from, a)]);
  // What is in it as well, or what it is in.
  const around = (address: string) => (a % 2 === 0 ? [address, `${address}/**`] : [address]);
  switch (how) {
    case 'deletion':
      return { ...limits, containersToDelete: some(owned) };
    case 'target':
      return { ...limits, targets: some(addresses).flatMap(around) };
    case 'exclude':
      return { ...limits, excludes: some(addresses).flatMap(around) };
    case 'destroy':
      return { ...limits, destroy: true, containersToDelete: a % 2 === 0 ? owned : some(owned) };
    default:
      return limits;
  }
}
