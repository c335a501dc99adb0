/*
 * Writes the entries of `removed:` for objects that `trueup remove` takes out of the configuration. Only containers such as projects need
 * one: without an entry, a container is released, and any other object is deleted. `src/model/removal.ts` explains the entries.
 */
import { isSeq, type YAMLMap, type YAMLSeq } from 'yaml';
import type { ChangedFile } from '../accept/changed-files.ts';
import { insertEntry, insertItem, insertLines } from '../accept/edit-yaml.ts';
import { formatItem } from '../accept/format-yaml-text.ts';
import { applyTextEdits, endOffsetOf, findEntry, type Slot, YamlFile } from '../accept/yaml-file.ts';
import type { WrittenFile } from '../config/configuration.ts';
import { headerKeys } from '../config/read-header.ts';
import { canDo } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Address, ancestorsAmong, isWithin } from '../model/address.ts';
import { raise } from '../model/diagnostic.ts';
import type { Resource } from '../model/resource.ts';
import type { Fields } from '../model/value.ts';

/**
 * A removed container, and the number of objects that its deletion deletes, as people count them: with itself, and by the configuration.
 */
export interface RemovedContainer {
  address: Address;
  kind: string;
  objects: number;
}

/**
 * Returns the removed containers that need an entry of `removed:`, with the declared objects in them. Those inside another one share its
 * entry. One that another stack owns (`$existing`), or that the platform cannot delete, is never deleted and needs none.
 */
export function findRemovedContainers(
  resources: ReadonlyMap<Address, Resource>,
  removed: ReadonlySet<Address>,
  kinds: Kinds,
): RemovedContainer[] {
  const removedResources = [...removed].flatMap((address) => resources.get(address) ?? []);
  const deletableContainers = removedResources.filter(({ kind, meta }) => {
    const definition = kinds.get(kind)!;
    return definition.lifecycle.container && canDo(definition, 'delete') && !meta.existing;
  });
  const addresses = new Set(deletableContainers.map(({ address }) => address));
  return deletableContainers
    .filter(({ address }) => ancestorsAmong(address, addresses).length === 1)
    .map(({ address, kind }) => {
      const contents = removedResources.filter((resource) => isWithin(resource.address, address));
      // A variable in several targets counts once.
      const objects = new Set(contents.map((resource) => resource.group ?? resource.address));
      return { address, kind, objects: objects.size };
    });
}

/**
 * Adds an entry of `removed:` for each container to the file that has this list or, without one, to the file with `stack:`. Returns that
 * file; its `before` is the given text. `stage`: the only stage in which the objects are removed. Throws `Problems` if the list comes from
 * an expression, so that it is not written as a list.
 */
export function addRemovedEntries(
  files: readonly WrittenFile[],
  containers: readonly RemovedContainer[],
  { deletes, stage }: { deletes: boolean; stage?: string | undefined },
): ChangedFile {
  const roots = files.filter(({ role }) => role === 'part').flatMap((file) => new YamlFile(file).roots);
  const rootWith = (key: string) => roots.find((slot) => findEntry(slot, key));
  const root = rootWith('removed') ?? rootWith('stack') ?? roots[0];
  if (!root) return refuseEntries();
  insertRemovedEntries(
    root,
    containers.map((container) => composeRemovedEntry(container, deletes, stage)),
  );
  const { path, name, text, edits } = root.file;
  return { path, name, before: text, after: applyTextEdits(text, edits) };
}

/** Returns the entry of `removed:` by which the next apply deletes or releases a container. `stage`: the only stage of the entry. */
const composeRemovedEntry = (
  { address, objects }: RemovedContainer,
  deletes: boolean,
  stage: string | undefined,
): Fields => ({
  at: address,
  delete: deletes,
  ...(deletes ? { objects } : {}),
  ...(stage === undefined ? {} : { $when: { stage } }),
});

/**
 * Adds entries to the list `removed` in the header of a configuration, by which the next apply deletes or releases objects, or adds the
 * list to the header. Used by `trueup remove`. Throws `Problems` if `removed` is no list.
 */
function insertRemovedEntries(root: Slot, entries: Fields[]): void {
  const list = findEntry(root, 'removed');
  if (list && !isSeq(list.node)) refuseEntries();
  if (list) for (const entry of entries) insertItem(list, entry, (list.node as YAMLSeq).items.length - 1);
  else if (isOnOneLine(root)) insertEntry(root, 'removed', entries);
  else {
    const items = entries.map((entry) => formatItem(entry, 2));
    insertLines(root.file, endOfHeader(root), `removed:\n${items.join('')}`);
  }
}

/** Throws the problem that new entries have no place. */
const refuseEntries = (): never =>
  raise('remove/unproven', '`removed` cannot get new entries here', {
    hint: 'write it as a list; nothing was written',
  });

/** True for a file whose map is in brackets, such as a JSON file. */
const isOnOneLine = ({ node, file }: Slot): boolean => file.isJson || (node as YAMLMap).flow === true;

/** Returns the offset of the end of the header keys, such as `stack` and `platform`; without any, that of the whole map. */
function endOfHeader(root: Slot): number {
  const header = headerKeys.flatMap((key) => findEntry(root, key) ?? []);
  return header.length > 0 ? Math.max(...header.map(endOffsetOf)) : endOffsetOf(root);
}

/**
 * Returns the lines of `removed:` that delete containers, as `addRemovedEntries` writes them, for messages: users choose between these and
 * the shown ones, which release.
 */
export const formatDeletingEntries = (
  containers: readonly RemovedContainer[],
  stage: string | undefined,
): string =>
  containers
    .map((container) => formatItem(composeRemovedEntry(container, true, stage), 2))
    .join('')
    .trimEnd();
