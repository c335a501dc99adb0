/*
 * The configuration inside an anonymous snapshot: a plan from it reads no files. Everything that planning uses of a configuration, as JSON.
 */
import type { Address } from '../../model/address.ts';
import type { Diagnostic, Position } from '../../model/diagnostic.ts';
import type { Desired, FieldReference, Live, LookupSource, Resource } from '../../model/resource.ts';
import { Sealed } from '../../model/sealed.ts';
import { type Fields, FileContent } from '../../model/value.ts';
import { mapTree, visitMembers } from '../../model/walk.ts';
import type { RunSession } from '../../run/session.ts';

/** The desired state as JSON: lists instead of maps, and positions without the text of files. */
interface EmbeddedDesired
  extends Pick<Desired, 'stack' | 'allow' | 'owns' | 'findingRules' | 'removed' | 'inputs' | 'folders'> {
  /** Each with the id of its object in the account. */
  resources: (Resource & { id?: string | undefined })[];
  lookups: [string, LookupSource][];
  references?: readonly FieldReference[] | undefined;
  /** The files that fields name, by the value of the field. Their content is left out. */
  contents: { value: string; type: string; length: number }[];
}

/** The configuration of one stack as JSON. */
export interface EmbeddedConfiguration {
  desired: EmbeddedDesired;
  /** The problems that the run had before it planned. */
  diagnostics: Diagnostic[];
  /** The sources of secrets and variables, by name. */
  origins: [string, string][];
  allowLive: Address[];
  siblings: { desired: EmbeddedDesired; isBroken: boolean }[];
  /** The options of the command line that decide something about the plan. */
  options: Record<string, unknown>;
  /** The ids of the stacks of the snapshot that are planned before this one. */
  waitsFor: readonly string[];
}

/**
 * Returns the parts of a session's configuration that planning needs, as JSON data for an anonymous snapshot: its readers do not have the
 * files. The resources have the ids of their live objects, and positions quote no lines of the files. `options`: those of the command that
 * decide about the plan. `waitsFor`: the stacks that are planned before this one. `tokenOf`: returns the text that stands for a secret of
 * the configuration in the snapshot.
 */
export const embedConfiguration = (
  {
    desired,
    diagnostics,
    origins,
    allowLive,
    siblings = [],
  }: Pick<RunSession, 'desired' | 'diagnostics' | 'origins' | 'allowLive' | 'siblings'>,
  live: Pick<Live, 'resources'>,
  { options, waitsFor }: Pick<EmbeddedConfiguration, 'options' | 'waitsFor'>,
  tokenOf: (secret: string) => string,
): EmbeddedConfiguration => {
  const embedded = {
    desired: withLiveIds(embedDesired(desired), live),
    diagnostics,
    origins: [...origins],
    allowLive: [...(allowLive ?? [])],
    siblings: siblings.map((sibling) => ({ ...sibling, desired: embedDesired(sibling.desired) })),
    options,
    waitsFor,
  };
  const withTokens = mapTree(embedded, (part) =>
    part instanceof Sealed ? { $sealed: tokenOf(part.reveal()) } : visitMembers,
  );
  return withoutQuotes(withTokens as EmbeddedConfiguration);
};

/**
 * Converts the desired state of a configuration to JSON data for an anonymous snapshot. Of the files that it uses, only type and length are
 * kept. `restoreDesired` is the inverse.
 */
const embedDesired = ({
  resources,
  lookups,
  contents,
  fieldAt: _,
  ...members
}: Desired): EmbeddedDesired => ({
  ...members,
  resources: [...resources.values()],
  lookups: [...(lookups ?? [])],
  contents: [...(contents ?? [])].map(([value, { bytes, type }]) => ({ value, type, length: bytes.length })),
});

/**
 * Returns a desired state in which each resource has the id of its object in the account, for an anonymous snapshot (a file from which a
 * plan can be made again). Whether a text in the snapshot is replaced as a secret depends on the `id` and the name of the member around it
 * (`SecretTokens`). With the id, equal values in the configuration and in the answers are replaced alike, and stay equal.
 */
const withLiveIds = (desired: EmbeddedDesired, { resources }: Pick<Live, 'resources'>): EmbeddedDesired => ({
  ...desired,
  resources: desired.resources.map((resource) => ({
    id: resources.get(resource.address)?.ids[0],
    ...resource,
  })),
});

/**
 * Converts a desired state that an anonymous snapshot contains back to the form that planning needs. Files have zeros as content, because
 * the snapshot has only their length.
 */
export const restoreDesired = ({ resources, lookups, contents, ...members }: EmbeddedDesired): Desired => ({
  ...members,
  resources: new Map(
    resources.map(({ id: _, ...resource }) => [
      resource.address,
      { ...resource, fields: mapTree(resource.fields, restoreSealed) as Fields },
    ]),
  ),
  lookups: new Map(lookups),
  contents: new Map(
    contents.map(({ value, type, length }) => [value, new FileContent(new Uint8Array(length), type)]),
  ),
});

const restoreSealed = (part: unknown): unknown =>
  typeof part === 'object' && part !== null && '$sealed' in part
    ? new Sealed(String(part.$sealed))
    : visitMembers;

/**
 * Returns a copy as JSON for an anonymous snapshot, in which no position in a file quotes its line, because the line could contain
 * anything.
 */
function withoutQuotes<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (_, member) => {
      if (typeof member !== 'object' || member === null || !isFilePosition(member)) return member;
      const { text: _text, caret: __, ...position } = member;
      return position;
    }),
  );
}

const isFilePosition = (value: object): value is Position =>
  'file' in value && 'line' in value && 'column' in value;
