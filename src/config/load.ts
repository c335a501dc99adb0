import path from 'node:path';
import { childKinds } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Scope } from '../kind/provider.ts';
import { type Diagnostic, hasErrors, problem, warning } from '../model/diagnostic.ts';
import type { Desired } from '../model/resource.ts';
import { holesIn, isSecretRef } from '../model/value.ts';
import { assemble } from './assemble.ts';
import { collectBlocks, type Section } from './collect-blocks.ts';
import { expander } from './expand.ts';
import { findCycles } from './find-cycles.ts';
import { findFiles } from './find-files.ts';
import { describe, type Entry, isNull, type MapNode, maskNode, sizeOf } from './nodes.ts';
import { parseYaml } from './parse-yaml.ts';
import { danglingNames, readBlocks } from './read-blocks.ts';
import { connectionInYaml, headerKeys, isConnectionKey, readPlatform, readStack } from './read-header.ts';
import { readSource } from './read-source.ts';
import { readSecrets, type SecretSource } from './secrets.ts';
import { sortDiagnostics } from './sort-diagnostics.ts';
import { positionOf, Source } from './source.ts';
import { hintFor, quoted } from './suggest.ts';
import { readVariables } from './variables.ts';

export interface LoadOptions {
  kinds: Kinds;
  cwd: string;
  /** Files and folders, from `-f`. Default: `trueup.yaml`, `trueup.yml` or the folder `trueup`. */
  paths?: string[];
  /** From `--var`. */
  vars?: Record<string, string>;
  /** From `--var-file`, in order: the last one decides. */
  varFiles?: string[];
  env: Record<string, string | undefined>;
}

/** What the YAML says. Usable only if `diagnostics` holds no error. */
export interface Configuration {
  desired: Desired;
  platform?: Scope;
  /** Those that `secrets:` declares; nothing of them is read yet. */
  secrets: Map<string, SecretSource>;
  /** Names of the secrets that some resource uses. */
  usedSecrets: Set<string>;
  /** Every problem, by place. */
  diagnostics: Diagnostic[];
}

const maxValues = 2_000_000;

/** Reads the configuration. Whatever is wrong with it is in `diagnostics`; nothing that a user does wrong throws. */
export async function load(options: LoadOptions): Promise<Configuration> {
  const { kinds, cwd, vars = {}, varFiles = [], env } = options;
  const { files, folders, diagnostics } = await findFiles(cwd, options.paths);
  const sources: Source[] = [];

  async function read(name: string, file: string): Promise<MapNode[] | undefined> {
    const source = await readSource({ name, path: file });
    if (!(source instanceof Source)) {
      diagnostics.push(source);
      return undefined;
    }
    sources.push(source);
    const { documents, diagnostics: found } = parseYaml(source);
    diagnostics.push(...found);
    if (source.broken) return undefined;
    const isEmpty = documents.every(isNull);
    if (isEmpty) diagnostics.push(warning('file/empty', `${name} is empty`, { at: source.position(0) }));
    return documents.flatMap((node) => {
      if (node.type === 'map') return [node];
      if (!isNull(node)) {
        diagnostics.push(
          problem('config/type', `a file holds a map, not ${describe(node)}`, {
            at: positionOf(node.at),
            hint: 'stack: name',
          }),
        );
        maskNode(node);
      }
      return [];
    });
  }

  const documents: MapNode[] = [];
  let isIncomplete = hasErrors(diagnostics);
  for (const file of files) {
    const found = await read(file.name, file.path);
    if (found) documents.push(...found);
    else isIncomplete = true;
  }
  const given: MapNode[] = [];
  for (const file of varFiles) {
    const found = await read(
      path.relative(cwd, path.resolve(cwd, file)).split(path.sep).join('/'),
      path.resolve(cwd, file),
    );
    given.push(...(found ?? []));
    if (!found) isIncomplete = true;
  }

  const rootKinds = new Map(childKinds(kinds, undefined).map((kind) => [kind.section, kind]));
  const header = new Map<string, Entry>();
  const written: Section[] = [];
  documents.forEach((map, document) => {
    for (const entry of map.entries) {
      const { key, value } = entry;
      const kind = rootKinds.get(key.text);
      const first = header.get(key.text);
      if (kind) written.push({ kind, section: value, at: key.at, document });
      else if (first)
        diagnostics.push(
          problem('config/header-twice', `\`${key.text}\` stands twice`, {
            at: positionOf(key.at),
            hint: 'the header stands once in all files together',
            related: [{ message: 'the first one', at: positionOf(first.key.at) }],
          }),
        );
      else if (headerKeys.includes(key.text)) header.set(key.text, entry);
      else if (!key.text.startsWith('x-')) {
        maskNode(value);
        diagnostics.push(
          isConnectionKey(key.text)
            ? connectionInYaml(entry)
            : problem('config/unknown-key', `${quoted(key.text)} is no section`, {
                at: positionOf(key.at),
                hint: hintFor(key.text, [...headerKeys, ...rootKinds.keys()]),
              }),
        );
      }
    }
  });

  const variables = readVariables(header.get('variables')?.value, { vars, files: given, env });
  // A file that was not read may declare what seems to be missing.
  if (isIncomplete)
    variables.diagnostics = variables.diagnostics.filter(({ code }) => code !== 'var/undeclared');
  diagnostics.push(...variables.diagnostics);
  const scope = { variables: variables.variables, sections: [...rootKinds.keys()], incomplete: isIncomplete };
  const expandVariables = expander(scope, diagnostics);
  const secrets = header.has('secrets')
    ? readSecrets(header.get('secrets')!.value, expandVariables)
    : { secrets: new Map<string, SecretSource>(), diagnostics: [], names: new Set<string>() };
  diagnostics.push(...secrets.diagnostics);
  const stackEntry = header.get('stack');
  const stack = stackEntry && readStack(stackEntry, expandVariables, diagnostics);
  const platformEntry = header.get('platform');
  const platform = platformEntry && readPlatform(platformEntry, expandVariables, diagnostics);
  if (!stackEntry && !isIncomplete)
    diagnostics.push(
      problem('config/stack', 'the stack has no name', {
        at: files[0] ? { file: files[0].name, line: 1, column: 1 } : undefined,
        hint: 'stack: name',
      }),
    );

  const expand = expander({ ...scope, secrets: secrets.names }, diagnostics);
  const sections = written.map((section) => ({ ...section, section: expand(section.section) }));
  const sizes = new Map();
  const size = sections.reduce((sum, { section }) => sum + sizeOf(section, sizes), 0);
  if (size > maxValues) {
    diagnostics.push(
      problem('config/too-large', `the configuration stands for more than ${maxValues} values`),
    );
    sections.length = 0;
  }
  const blocks = collectBlocks(kinds, sections, diagnostics);
  const readAll = readBlocks(kinds, blocks, isIncomplete);
  diagnostics.push(...readAll.flatMap((block) => block.diagnostics));
  if (!isIncomplete) diagnostics.push(...danglingNames(readAll, kinds));
  const resources = assemble(readAll, kinds, diagnostics);
  diagnostics.push(...findCycles(readAll, resources));

  const used = [...resources.values()].flatMap(({ fields }) => holesIn(fields)).filter(isSecretRef);
  for (const source of sources) source.quote();
  return {
    desired: { stack: stack ?? '', resources, inputs: files.map(({ name }) => name), folders },
    ...(platform ? { platform } : {}),
    secrets: secrets.secrets,
    usedSecrets: new Set(used.map(({ $secret }) => $secret)),
    diagnostics: sortDiagnostics(diagnostics),
  };
}
