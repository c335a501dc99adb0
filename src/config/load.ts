import { childKinds } from '../kind/define-kind.ts';
import type { Address } from '../model/address.ts';
import { type Diagnostic, problem, Reporter, sortDiagnostics } from '../model/diagnostic.ts';
import { foldDiagnostics } from '../model/fold-diagnostics.ts';
import type { Desired, FindingRule, Resource } from '../model/resource.ts';
import { assembleResources, indexFieldSpots, quoteFieldSpots } from './blocks/assemble-resources.ts';
import type { LoadedBlock } from './blocks/block.ts';
import { type Collected, collectBlocks } from './blocks/collect-blocks.ts';
import { readBlocks } from './blocks/read-blocks.ts';
import type { Section } from './blocks/section-entries.ts';
import {
  type LoadOptions,
  listFileDependencies,
  resourcesBySecret,
  toConfigurationText,
  type WrittenConfiguration,
} from './configuration.ts';
import { checkOwnedAddresses } from './counted-globs.ts';
import { expander } from './expressions/expand.ts';
import { amountOf, inspectNode } from './expressions/inspect-node.ts';
import type { Globals, Variables } from './expressions/scope.ts';
import { readPictures } from './fields/read-pictures.ts';
import type { FoundFile } from './find-files.ts';
import { findUnreadParts, withUnreadHints } from './find-unread-parts.ts';
import { checkTotalSize } from './growth.ts';
import type { MergeInput } from './layers/merge-context.ts';
import { mergeLayers, type WrittenLayers } from './layers/merge-layers.ts';
import { maskDroppedValues } from './mask-dropped-values.ts';
import { maskReplacedValues } from './mask-replaced-values.ts';
import { type ReadFiles, readFiles } from './read-files.ts';
import { readFindingRules } from './read-finding-rules.ts';
import {
  guessStackName,
  readAllow,
  readListItems,
  readOwns,
  readPlatform,
  readStack,
  splitDocuments,
  type WrittenParts,
} from './read-header.ts';
import { readLedgerPlace } from './read-ledger-place.ts';
import { checkRemovals, readRemovals } from './read-removals.ts';
import { checkDanglingNames, findCycles } from './references/find-target.ts';
import { openSources, type Sources } from './sources/sources.ts';
import { originText } from './sources/verdict.ts';
import { UncertainNames } from './uncertain-names.ts';
import { readAllowedVariables, readVarFiles, variablesOfStage } from './values/allowed-variables.ts';
import { type DeclaredLookups, readLookups } from './values/lookups.ts';
import { checkShownSecrets, findSecretEnvNames, readSecrets } from './values/secrets.ts';
import { type Entry, entryOf, type Node, nowhere } from './yaml/nodes.ts';
import type { Source } from './yaml/source.ts';

/**
 * Reads a configuration, for all commands and the library. It reads files, merges templates and patches, reads all blocks as resources, and
 * checks them. Sources that the YAML names, such as pictures, are read if `sources` of the options allows it; secrets and the account are
 * not read. Problems are in `diagnostics`: a mistake of a user never throws. If a file could not be read (`isIncomplete`), nothing is
 * reported as undeclared, since that file may declare it.
 */
export async function load(options: LoadOptions): Promise<WrittenConfiguration> {
  const { kinds, cwd, env, sources: allowed = openSources({ env, cwd }) } = options;
  const report = new Reporter();
  const sources: Source[] = [];
  const read = await readFiles(options, allowed, sources, report);
  const { files, stage } = read;
  const configurationSources = [...sources];
  const readFrom = { cwd, allowed, texts: options.texts };
  const varFiles = await readVarFiles(readFrom, options.varFiles ?? [], sources, report);
  const isIncomplete = read.isIncomplete || varFiles.some(({ documents }) => documents === undefined);
  const parts = splitDocuments(read.documents, kinds, report);
  const stackNode = parts.header.get('stack')?.value;
  const writtenStack = stackNode?.type === 'scalar' ? stackNode.text : '';

  const input: ReadInput = { options, allowed, sources, report, isIncomplete, writtenStack, stage };
  const { variables, globals, secrets, lookups } = await readValues(parts, varFiles, input);
  const header = readHeader(parts.header, globals, options.kinds, report, read);
  const isUnnamed = lacksStackName(parts) && !isIncomplete;
  const isEmpty = read.documents.length === 0 && read.emptyWarnings.length > 0;
  if (isUnnamed) report.add(noStackNameProblem(files, isEmpty));
  if (!isUnnamed || !isEmpty) report.add(read.emptyWarnings);
  const mergeInput: MergeInput = {
    kinds,
    globals: { ...globals, secrets, lookups },
    report,
    uncertain: new UncertainNames(),
    replaced: [],
    dropped: [],
  };
  const declared = await readDeclared(parts, mergeInput, options);
  const { sections, blocks, resources } = declared;
  const unreadParts = await findUnreadParts(options, [...files, ...read.filesOfOtherStages]);
  const ownsLists = [
    { owns: header.owns, at: parts.header.get('owns')?.value.at ?? nowhere },
    { owns: options.workspace?.owns, at: nowhere },
  ];
  const allDiagnostics = [
    ...report.diagnostics,
    ...diagnosticsOfValues({ variables, secrets }, isIncomplete),
    ...diagnosticsOfBlocks(declared, mergeInput),
    ...checkRemovals(header.removed ?? [], resources),
    ...unreadParts,
    ...checkOwnedAddresses(ownsLists, resources.values(), { kinds, growth: globals.growth }),
  ];

  const findSpot = indexFieldSpots(blocks);
  const pictureInput = { kinds, files, findSpot, sources: allowed, stack: writtenStack };
  const pictures = await readPictures(resources, pictureInput);
  const requests = [...variables.requests, ...pictures.asked];
  maskUnusedTexts(mergeInput, blocks, parts, variables.variables);
  // Adds the quoted lines to the problems. All secrets are masked by now.
  for (const source of sources) source.quote();
  const { stack = '', platform, ledger, ...limits } = header;
  return {
    desired: {
      stack,
      ...limits,
      findingRules: joinRules(limits.findingRules, options.workspace?.findingRules),
      lookups: lookups.sources,
      resources,
      references: blocks.flatMap((block) => block.references),
      fieldAt: quoteFieldSpots(findSpot),
      ...pictures.read,
      inputs: read.inputs,
      folders: read.folders,
    },
    files: files.map(({ path }) => path),
    fileDependencies: listFileDependencies([...files, ...varFiles], requests, secrets.sources, cwd),
    stages: read.stages,
    guessedStack: stackNode ? undefined : guessStackName(configurationSources),
    platform,
    ledger: ledger ?? options.workspace?.ledger,
    secrets: secrets.sources,
    usedSecrets: new Set(resourcesBySecret(resources.values()).keys()),
    missingVariables: namesOfMissing(variables.variables),
    variableOrigins: new Map(variables.origins.map(({ name, origin }) => [name, originText(origin)])),
    writtenStack,
    rendered: () => ({
      sections,
      secrets: secrets.rendered(),
      lookups: lookups.sources,
      childrenOf: ({ name }) => childKinds(kinds, name),
    }),
    // A function, so that no dump of a configuration contains the text, because the text may contain secrets.
    written: () => toConfigurationText(read, sources, { ...variables, varFiles }, blocks),
    notAllowed: [...variables.refused, ...pictures.refused],
    diagnostics: sortDiagnostics(
      foldDiagnostics(onlyStageProblems(withUnreadHints(allDiagnostics, unreadParts))),
    ),
  };
}

/** The resources that a configuration declares, with the sections and blocks that they come from. */
interface Declared extends Pick<Collected, 'uncertain'> {
  sections: Section[];
  blocks: LoadedBlock[];
  resources: Map<Address, Resource>;
}

/** Merges the layers of a configuration into its sections, and reads their blocks as resources. */
async function readDeclared(parts: WrittenParts, input: MergeInput, options: LoadOptions): Promise<Declared> {
  const { kinds, globals, report } = input;
  const sections = await mergeSections(layersOf(parts, report, options.overlay), input);
  const collected = collectBlocks(input, sections);
  const blocks = await readAllBlocks(collected, globals, options, report);
  const resources = assembleResources(blocks, kinds, report);
  return { sections, blocks, resources, uncertain: collected.uncertain };
}

/**
 * Returns the problems of single blocks and of the references between them. Undeclared names are left out if a file could not be read,
 * because it may declare them.
 */
const diagnosticsOfBlocks = (
  { blocks, resources, uncertain }: Declared,
  { kinds, globals }: MergeInput,
): Diagnostic[] => [
  ...blocks.flatMap((block) => block.diagnostics),
  ...(globals.incomplete ? [] : checkDanglingNames(blocks, uncertain, kinds)),
  ...findCycles(blocks, resources),
];

/**
 * Masks the texts that have no effect in this stage and may be secrets, so that no message quotes them: values that a secret replaces, and
 * parts that a `$drop` removes.
 */
function maskUnusedTexts(
  { replaced, dropped, kinds }: MergeInput,
  blocks: readonly LoadedBlock[],
  parts: WrittenParts,
  variables: Variables,
): void {
  maskReplacedValues(replaced, parts, variables);
  maskDroppedValues(dropped, blocks, kinds);
}

/** What `readValues` needs besides the parts of the configuration. */
interface ReadInput extends Pick<ReadFiles, 'stage' | 'isIncomplete'> {
  options: LoadOptions;
  /** Decides which sources may be read. */
  allowed: Sources;
  /** Gets the text of each file, for messages. */
  sources: Source[];
  report: Reporter;
  writtenStack: string;
}

/**
 * Reads the variables, secrets and lookups of a configuration. Loading begins with them, because expressions in all other parts of the YAML
 * (`${var.name}`) name them. `added`: the sections of the files, such as `variables:`. `varFiles`: the files of `--var-file`. The values of
 * a test (`overlay`) count like one more such file. In the result, `globals` is the scope of expressions outside of templates.
 */
async function readValues(
  { added, rootSections }: ReturnType<typeof splitDocuments>,
  varFiles: Awaited<ReturnType<typeof readVarFiles>>,
  { options, allowed, sources, report, isIncomplete, writtenStack, stage }: ReadInput,
) {
  const { kinds, cwd, env, vars = {}, overlay } = options;
  const secretSections = added.get('secrets')!;
  const stageValues = stage && {
    name: stage.name,
    variables: variablesOfStage(stage.entry, report),
  };
  const variables = await readAllowedVariables(added.get('variables')!, {
    inputs: {
      vars,
      files: [
        ...varFiles.flatMap(({ documents }) => documents ?? []),
        ...(overlay?.variables ? [overlay.variables] : []),
      ],
      env,
      secretEnvs: findSecretEnvNames(secretSections),
      stage: stageValues,
    },
    sources: allowed,
    texts: sources,
    writtenStack,
    replaced: options.texts,
  });
  const globals: Globals = {
    growth: variables.growth,
    variables: variables.variables,
    sections: rootSections,
    kinds: new Set(kinds.keys()),
    incomplete: isIncomplete,
    stage: stage?.name,
  };
  const secrets = readSecrets(secretSections, { scope: globals, cwd });
  const lookups = await readDeclaredLookups(added.get('lookups')!, globals, options, report);
  return { variables, globals, secrets, lookups };
}

/**
 * Leaves out problems with undeclared variables. Used if a file of the configuration could not be read, since their declarations may be in
 * it.
 */
const withoutUndeclared = (diagnostics: Diagnostic[]): Diagnostic[] =>
  diagnostics.filter(({ code }) => code !== 'config/undeclared');

/**
 * Returns the parts of a configuration that are merged into blocks, for `mergeLayers`: documents,
 * `templates`, `use` (templates with whole sections), `patches` (changes of blocks that are declared elsewhere), and the layers that
 * `trueup test` adds (`overlay`). Reports `use` and `patches` that are no lists. `added`: the keys that each document may add to, with all
 * their values.
 */
const layersOf = (
  { documents, added }: ReturnType<typeof splitDocuments>,
  report: Reporter,
  overlay: LoadOptions['overlay'],
): WrittenLayers => ({
  documents,
  templates: added.get('templates')!,
  use: readListItems(added.get('use')!, 'use', report),
  patches: readListItems(added.get('patches')!, 'patches', report),
  overlays: overlay?.patches ?? [],
});

/**
 * Reads all blocks (objects such as a project) into fields and settings. The code for `$then`, which runs
 * actions after changes, takes time to load, so that happens only if some block has it and the caller can
 * load actions (`actionsAndLookups`).
 */
async function readAllBlocks(
  collected: Collected,
  { incomplete: isIncomplete, growth }: Globals,
  { kinds, actionsAndLookups }: LoadOptions,
  report: Reporter,
): Promise<LoadedBlock[]> {
  const context = { isIncomplete, growth };
  const hasThen = collected.blocks.some(({ settingEntries }) =>
    settingEntries.some(({ key }) => key.text === '$then'),
  );
  if (!actionsAndLookups || !hasThen) return readBlocks(kinds, collected, context, report);
  const { actions } = await actionsAndLookups();
  const actionReader = { actions, read: (await import('./blocks/read-then.ts')).readThen };
  return readBlocks(kinds, collected, { ...context, actionReader }, report);
}

/**
 * Reads the sections `lookups:`, the queries whose answers expressions can use. The queries that the platform
 * offers take time to load, so that happens only if the configuration declares some.
 */
const readDeclaredLookups = async (
  sections: Node[],
  globals: Globals,
  { actionsAndLookups }: LoadOptions,
  report: Reporter,
): Promise<DeclaredLookups> =>
  readLookups(sections, {
    lookups: (sections.length > 0 ? (await actionsAndLookups?.())?.lookups : undefined) ?? new Map(),
    expand: expander(globals, report),
    report,
  });

/**
 * Returns the names of the variables without a value, for `trueup init --ci`, whose workflow has to set them.
 */
const namesOfMissing = (variables: Variables): string[] =>
  [...variables.declared.keys()].filter((name) => variables.get(name)?.type === 'missing');

/**
 * Returns the sections of the configuration after templates and patches were merged into them and globs in
 * names were replaced. Returns none, after a report, if the result is too large. Globs in names are rare, so
 * their code is loaded only if there are some.
 */
async function mergeSections(layers: WrittenLayers, input: MergeInput): Promise<Section[]> {
  const { globals, report } = input;
  const sections = await mergeLayers(layers, input);
  if (globals.growth.isExceeded) return [];
  const nodes = sections.map(({ section }) => section);
  const traits = nodes.map((node) => inspectNode(node, globals.kinds));
  const sizeProblem = checkTotalSize(nodes, (node) => amountOf(node, globals.kinds));
  if (sizeProblem) {
    report.add(sizeProblem);
    return [];
  }
  if (!traits.some(({ hasGlobs }) => hasGlobs)) return sections;
  const { expandNameGlobs } = await import('./layers/expand-name-globs.ts');
  const expandedSections = expandNameGlobs(sections, input);
  return globals.growth.isExceeded ? [] : expandedSections;
}

/**
 * Returns the values of the header of a configuration: the name of its stack, which selects the ledger; `platform`, its account; `ledger`,
 * the place of the ledger; `$allow`, its permissions; `owns`, globs of the addresses that it may declare; `findings`, the severities of
 * findings; and `removed`, what happens to objects without a block. The selected stage may have another account, and becomes a part of the
 * stack's name (`shop@staging`).
 */
function readHeader(
  header: ReadonlyMap<string, Entry>,
  scope: Globals,
  kinds: LoadOptions['kinds'],
  report: Reporter,
  { stage, stages }: ReadFiles,
): Pick<WrittenConfiguration, 'ledger' | 'platform'> & { stack?: string | undefined } & Pick<
    Desired,
    'allow' | 'owns' | 'findingRules' | 'removed'
  > {
  const expand = expander(scope, report);
  const stack = header.get('stack');
  const ledger = header.get('ledger');
  const platform = (stage && entryOf(stage.entry, 'platform')) ?? header.get('platform');
  const allow = header.get('$allow');
  const owns = header.get('owns');
  const findings = header.get('findings');
  const removed = header.get('removed');
  return {
    stack: stack && readStack(stack, expand, report, stage?.name),
    platform: platform && readPlatform(platform, expand, report),
    ledger:
      ledger &&
      readLedgerPlace(ledger.value, { origin: 'header', servesSeveral: header.has('stages') }, report),
    allow: allow && readAllow(allow, expand, report),
    owns: owns && readOwns(owns.value, expand, report),
    findingRules: findings && readFindingRules(expand(findings.value), report),
    removed: removed && readRemovals(removed.value, { kinds, stages, scope, expand, report }),
  };
}

/** Joins the rules for findings of a configuration and of its workspace. Undefined without rules. */
function joinRules(own: readonly FindingRule[] = [], ofWorkspace: readonly FindingRule[] = []) {
  const rules = [...own, ...ofWorkspace];
  return rules.length > 0 ? rules : undefined;
}

/** Returns only the problem with the stage, if none was selected: without its files and values, all other problems may be wrong. */
function onlyStageProblems(diagnostics: Diagnostic[]): Diagnostic[] {
  const stageProblems = diagnostics.filter(({ code }) => code === 'stage/choose' || code === 'stage/unknown');
  return stageProblems.length > 0 ? stageProblems : diagnostics;
}

/**
 * Returns the problems with the variables and secrets of a configuration. With `isIncomplete`, a file could
 * not be read, so a name that is not declared is no problem: that file may declare it.
 */
const diagnosticsOfValues = (
  { variables, secrets }: Pick<Awaited<ReturnType<typeof readValues>>, 'variables' | 'secrets'>,
  isIncomplete: boolean,
): Diagnostic[] => [
  ...(isIncomplete ? withoutUndeclared(variables.report.diagnostics) : variables.report.diagnostics),
  ...secrets.report.diagnostics,
  ...checkShownSecrets(variables.origins, secrets.sources),
];

/** True if a configuration has no `stack: NAME`, not even with a misspelled key. */
const lacksStackName = ({ header, isStackMisspelled }: WrittenParts): boolean =>
  !header.has('stack') && !isStackMisspelled;

/**
 * Returns the problem with a configuration without `stack: NAME`. Every command finds the ledger, the record
 * of what the stack owns, by this name. The message points at the first file, if there is one. `isEmpty`: true if all
 * files are empty. Then that is the cause.
 */
function noStackNameProblem(files: readonly FoundFile[], isEmpty: boolean): Diagnostic {
  const [firstFile] = files;
  const emptyFiles =
    files.length === 1
      ? `${firstFile!.name} is empty`
      : `all ${files.length} files of the configuration are empty`;
  return problem(
    'config/stack',
    isEmpty ? `${emptyFiles}, so the stack has no name` : 'the stack has no name',
    {
      at: firstFile ? { file: firstFile.name, line: 1, column: 1 } : undefined,
      hint: 'stack: name',
    },
  );
}
