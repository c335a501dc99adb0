import path from 'node:path';
import type { FoundFile } from './find-files.ts';
import { entriesOf, type MapNode, memberOf } from './yaml/nodes.ts';

/*
 * A SOPS file is YAML, so `-f FOLDER` finds the file of `secrets: { db: { sops: FILE } }` among the files of the configuration. It is no
 * part of it: its keys are names of secrets, and its values are encrypted.
 *
 * A part of a configuration must never be left out by mistake, because its objects would then be deleted. So a file is left out only if a
 * declaration names it, and if it has the metadata of SOPS. Nothing else can have these: `sops` is not a section.
 */

/** The documents of a configuration, its files, and the names of these files for the ledger. */
interface FoundParts {
  documents: { map: MapNode; file: FoundFile }[];
  files: FoundFile[];
  inputs: string[];
}

/**
 * Returns the documents and files of a configuration without those encrypted files (SOPS) that its `secrets:` names: they may lie in
 * the same folder, but declare nothing. One that no `secrets:` names stays.
 */
export function leaveOutSopsFiles<P extends FoundParts>(read: P): P {
  const encryptedFiles = read.documents.filter(({ map }) => memberOf(map, 'sops')?.type === 'map');
  if (encryptedFiles.length === 0) return read;
  const namedPaths = new Set(findSopsPaths(read));
  const leftOut = encryptedFiles.flatMap(({ file }) => (namedPaths.has(file.path) ? file : []));
  const isKept = (file: FoundFile) => !leftOut.some((other) => other.path === file.path);
  const inputsLeftOut = leftOut.map(({ inputName }) => inputName);
  return {
    ...read,
    documents: read.documents.filter(({ file }) => isKept(file)),
    files: read.files.filter(isKept),
    inputs: read.inputs.filter((input) => !inputsLeftOut.includes(input)),
  };
}

/**
 * Returns the absolute paths of the SOPS files that `secrets:` names, to recognize them among the files of the configuration. A path with
 * an expression is not known yet, so it equals no file.
 */
const findSopsPaths = ({ documents }: FoundParts): string[] =>
  documents.flatMap(({ map }) =>
    entriesOf(memberOf(map, 'secrets')).flatMap(({ value }) => {
      const node = memberOf(value, 'sops');
      return node?.type === 'scalar' ? path.resolve(node.at.source.folder ?? '', node.text) : [];
    }),
  );
