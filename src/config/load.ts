import type { Kinds } from '../kind/kind.ts';
import type { Scope } from '../kind/provider.ts';
import { type Diagnostic, hasErrors, problem } from '../model/diagnostic.ts';
import type { Desired } from '../model/resource.ts';
import { holesIn, isSecretRef } from '../model/value.ts';
import { assemble } from './assemble.ts';
import { collectBlocks } from './collect-blocks.ts';
import { danglingNames } from './dangling-names.ts';
import { expander } from './expand.ts';
import { findCycles } from './find-cycles.ts';
import { fileAt, findFiles } from './find-files.ts';
import { type MapNode, sizeOf } from './nodes.ts';
import { readBlocks } from './read-blocks.ts';
import { readDocuments } from './read-documents.ts';
import { readPlatform, readStack } from './read-header.ts';
import { readSecrets, type SecretSource } from './secrets.ts';
import { sortDiagnostics } from './sort-diagnostics.ts';
import type { Source } from './source.ts';
import { splitDocuments } from './split-documents.ts';
import { stackLine } from './stack-line.ts';
import { readVariables } from './variables.ts';

export interface LoadOptions {
  kinds: Kinds;
  cwd: string;
  /** Files and folders, from `-f`. Default: `trueup.yaml`, `trueup.yml` or the folder `trueup`. */
  paths?: string[];
  /** The configuration itself, in place of files. */
  text?: string;
  /** From `--var`. */
  vars?: Record<string, string>;
  /** From `--var-file`, in order: the last one decides. */
  varFiles?: string[];
  env: Record<string, string | undefined>;
}

/** What the YAML says. Usable only if `diagnostics` holds no error. */
export interface Configuration {
  desired: Desired;
  /** Where the files are that it was read from; no more, and no variable files. */
  files: string[];
  /** What the stack seems to be called where its name could not be read: only to say whose problems these are. */
  seemingStack?: string;
  platform?: Scope;
  /** Those that `secrets:` declares; nothing of them is read yet. */
  secrets: Map<string, SecretSource>;
  /** Names of the secrets that some resource uses. */
  usedSecrets: Set<string>;
  /** Every problem, by place. */
  diagnostics: Diagnostic[];
}

const maxValues = 2_000_000;

const inMemory = (text: string): Awaited<ReturnType<typeof findFiles>> => ({
  files: [{ path: '', name: 'trueup.yaml', text }],
  inputs: ['trueup.yaml'],
  folders: [],
  diagnostics: [],
});

/** Reads the configuration. Whatever is wrong with it is in `diagnostics`; nothing that a user does wrong throws. */
export async function load(options: LoadOptions): Promise<Configuration> {
  const { kinds, cwd, vars = {}, varFiles = [], env } = options;
  const { files, inputs, folders, diagnostics } =
    options.text === undefined ? await findFiles(cwd, options.paths) : inMemory(options.text);
  const sources: Source[] = [];

  const documents: MapNode[] = [];
  let isIncomplete = hasErrors(diagnostics);
  for (const file of files) {
    const found = await readDocuments(file, sources, diagnostics);
    if (found) documents.push(...found);
    else isIncomplete = true;
  }
  const configured = [...sources];
  const given: MapNode[] = [];
  for (const file of varFiles) {
    const found = await readDocuments(fileAt(cwd, file), sources, diagnostics);
    given.push(...(found ?? []));
    if (!found) isIncomplete = true;
  }

  const { header, written, rootSections } = splitDocuments(documents, kinds, diagnostics);
  const variables = readVariables(header.get('variables')?.value, { vars, files: given, env });
  // A file that was not read may declare what seems to be missing.
  if (isIncomplete)
    variables.diagnostics = variables.diagnostics.filter(({ code }) => code !== 'var/undeclared');
  diagnostics.push(...variables.diagnostics);
  const scope = { variables: variables.variables, sections: rootSections, incomplete: isIncomplete };
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
  const collected = collectBlocks(kinds, sections, diagnostics);
  const readAll = readBlocks(kinds, collected, isIncomplete);
  const resources = assemble(readAll, kinds, diagnostics);
  const all = [
    diagnostics,
    ...readAll.map((block) => block.diagnostics),
    isIncomplete ? [] : danglingNames(readAll, collected.uncertain, kinds),
    findCycles(readAll, resources),
  ].flat();

  const used = [...resources.values()].flatMap(({ fields }) => holesIn(fields)).filter(isSecretRef);
  for (const source of sources) source.quote();
  const seemingStack = stackEntry ? undefined : stackLine(configured);
  return {
    desired: { stack: stack ?? '', resources, inputs, folders },
    files: files.map(({ path }) => path),
    ...(seemingStack === undefined ? {} : { seemingStack }),
    ...(platform ? { platform } : {}),
    secrets: secrets.secrets,
    usedSecrets: new Set(used.map(({ $secret }) => $secret)),
    diagnostics: sortDiagnostics(all),
  };
}
