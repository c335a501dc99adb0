/*
 * The two sides of `trueup diff A B`.
 *
 *   side     a stage, a stack, a commit, or an account: what it declares, or what its account has
 *   origin   the text in the YAML that declares an object; two sides of one configuration have objects of equal origin
 *   pair     an object of A and the object of B that is the same thing, perhaps under another address
 */
import { findFieldNode, type LoadedBlock } from '../config/blocks/block.ts';
import type { WrittenConfiguration } from '../config/configuration.ts';
import { isFromConfiguration, type Node } from '../config/yaml/nodes.ts';
import type { Spot } from '../config/yaml/source.ts';
import type { Address } from '../model/address.ts';
import type { Position } from '../model/diagnostic.ts';
import { addTo } from '../model/graph.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { findReadFailure, type Live, type Meta } from '../model/resource.ts';
import { Sealed, sealedIn } from '../model/sealed.ts';
import type { SecretFinder } from '../model/secret-finder.ts';
import { type Fields, isJoin, namesInPath } from '../model/value.ts';
import { mapMembers } from '../model/walk.ts';
import { sealStatedSecrets } from '../run/hide-stated-secrets.ts';
import { type ComparedSource, describeSecretSources } from './secret-sources.ts';

/** One object of a side. */
export interface ComparedObject {
  address: Address;
  kind: string;
  parent: Address | undefined;
  fields: Fields;
  /** The `$` settings of its block; empty for an object of an account. */
  meta: Meta;
  /** Its position among its siblings, which decides for ordered kinds. */
  index: number;
  /** The place of its block; absent for an object that only the account has. */
  at: Position | undefined;
}

/** One side of a comparison, ready to be compared. */
export interface ComparedSide {
  /** Its name in messages, as the user wrote it. */
  name: string;
  /** True if `objects` is what the account has. */
  isLive: boolean;
  objects: ReadonlyMap<Address, ComparedObject>;
  /** The blocks that declare each object. Empty for objects that no block declares. */
  blocksOf: ReadonlyMap<Address, readonly LoadedBlock[]>;
  /** The stage that its configuration was read for. */
  stage: string | undefined;
  /** The values of variables that are one text, by name. */
  variableTexts: ReadonlyMap<string, string>;
  /** Where each secret of the configuration comes from, by name. */
  secretSources: ReadonlyMap<string, ComparedSource>;
  /** True if it is unknown whether the side has this object, because its account could not be read completely. */
  isUnread(object: Pick<ComparedObject, 'address' | 'kind' | 'parent'>): boolean;
}

/** Returns the objects that a configuration declares as a side of `trueup diff`, with the blocks that declare them. */
export function toDeclaredSide(
  name: string,
  configuration: Pick<WrittenConfiguration, 'desired' | 'written' | 'secrets'>,
): ComparedSide {
  const { blocks, stage, variableTexts } = configuration.written();
  const blocksOf = new Map<Address, LoadedBlock[]>();
  for (const read of blocks) for (const { address } of read.units) addTo(blocksOf, address, read);
  const objects = new Map(
    [...configuration.desired.resources.values()].map(
      ({ address, kind, parent, fields, meta, index, at }): [Address, ComparedObject] => [
        address,
        {
          address,
          kind,
          parent,
          meta,
          index,
          at,
          fields: revealTextsAroundSecrets(fields, blocksOf.get(address) ?? []),
        },
      ],
    ),
  );
  return {
    name,
    isLive: false,
    objects,
    blocksOf,
    stage,
    variableTexts,
    secretSources: describeSecretSources(configuration.secrets),
    isUnread: () => false,
  };
}

/**
 * Returns fields in which the text around a secret, as in `postgres://app:${secret.password}@db`, is in clear if the files of the
 * configuration state it, so that `trueup diff` can compare it, and `--promote` can copy it. The secret itself is only a reference. Reports
 * hide the whole value all the same. A text from elsewhere, such as a file that git does not track, stays sealed.
 */
export function revealTextsAroundSecrets(fields: Fields, blocks: readonly LoadedBlock[]): Fields {
  const isStated = (name: string) =>
    blocks
      .flatMap(({ block }) => block.fieldEntries.filter(({ key }) => key.text === name))
      .every(({ value }) => value.type === 'expression' && isFromConfiguration(value));
  if (sealedIn(fields).length === 0) return fields;
  return mapMembers(fields, (value, name) => {
    if (!isJoin(value) || !isStated(name)) return value;
    return { $join: value.$join.map((piece) => (piece instanceof Sealed ? piece.reveal() : piece)) };
  });
}

/**
 * Returns an account as a side of `trueup diff`: the objects that a configuration (`declared`) declares or that its stack owns (`owned`).
 * All other objects of the account belong to somebody else.
 */
export function toLiveSide(
  name: string,
  declared: ComparedSide,
  live: Live,
  owned: Readonly<Record<Address, LedgerEntry>>,
): ComparedSide {
  const objects = [...live.resources.values()]
    .filter(({ address }) => declared.objects.has(address) || Object.hasOwn(owned, address))
    .map(({ address, kind, parent, fields, index }): [Address, ComparedObject] => [
      address,
      { address, kind, parent, fields, meta: {}, index, at: declared.objects.get(address)?.at },
    ]);
  return {
    ...declared,
    name,
    isLive: true,
    objects: new Map(objects),
    isUnread: (object) => findReadFailure(live, object) !== undefined,
  };
}

/**
 * Returns a side after its files got new texts that leave its objects as they are, so that objects can still be paired by the text that
 * declares them. An account keeps its objects.
 */
export function withNewTexts(side: ComparedSide, configuration: WrittenConfiguration): ComparedSide {
  const declared = toDeclaredSide(side.name, configuration);
  return side.isLive ? { ...side, blocksOf: declared.blocksOf } : declared;
}

/** Returns a side with those texts sealed that a finding reports as secrets in clear, so that no report shows them. */
export function hideStated(side: ComparedSide, isSecret: SecretFinder): ComparedSide {
  const objects = [...side.objects].map(([address, object]): [Address, ComparedObject] => [
    address,
    { ...object, fields: sealStatedSecrets(object.fields, isSecret) },
  ]);
  return { ...side, objects: new Map(objects) };
}

/**
 * True if two spots are in files of the same name and text, since files of two commits can have equal names. A spot that is in no file
 * equals none.
 */
export const isSameText = ({ source: a }: Spot, { source: b }: Spot): boolean =>
  a === b ? a.file !== '' : a.file !== '' && a.file === b.file && a.text === b.text;

/**
 * Returns the values in the files that state a field of an object, by its dotted path, to compare where two sides have it from: one value
 * for each block of the object that has the field. Empty for an object of an account.
 */
export function findFieldNodes(side: ComparedSide, address: Address, path: string): Node[] {
  return (side.blocksOf.get(address) ?? []).flatMap(
    ({ block }) => findFieldNode(block, namesInPath(path)) ?? [],
  );
}
