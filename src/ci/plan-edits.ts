/*
 * The changes of existing things that `trueup init --ci` proposes before it writes workflows: lines of the YAML, and ledgers that move to
 * the place where CI jobs look for them. New files are no edits: they overwrite nothing.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Configuration } from '../config/configuration.ts';
import { workspaceFileName } from '../config/find-workspace.ts';
import type { Host } from '../host.ts';
import { isFilePlace, isGitPlace } from '../model/ledger-place.ts';
import { listMembers } from '../model/secret-families.ts';
import { count } from '../report/text.ts';
import { findLedgersOnDisk, type LedgerOnDisk } from './ci-ledgers.ts';
import { declareAsJson, setLedgerPlace } from './edit-yaml-lines.ts';
import { type CodeHost, findSecretGroups, type SecretGroup } from './group-secrets.ts';
import type { InspectedRepository } from './inspect-repository.ts';

/** The new text of a file. */
export interface FileEdit {
  path: string;
  /** Its path for messages. */
  name: string;
  before: string;
  after: string;
}

/** The changes that a person has to agree to. */
export interface CiEdits {
  files: FileEdit[];
  groups: SecretGroup[];
  /** Families that should be grouped, but whose declaration cannot be edited. */
  ungrouped: SecretGroup[];
  /** The ledgers to move, and where to. */
  moves: LedgerOnDisk[];
  ledgerPlace: string;
  /** The file that gets the line `ledger:`. */
  ledgerFile?: string;
}

export const hasEdits = ({ files, moves }: CiEdits): boolean => files.length + moves.length > 0;

/**
 * Finds the changes of existing files and ledgers without which the workflows of `init --ci` would not work: secrets that have to share a
 * JSON secret, a `ledger:` in the YAML, and ledgers on this machine. Writes nothing; the command asks the user first.
 */
export async function planEdits(
  facts: InspectedRepository,
  codeHost: CodeHost,
  host: Host,
): Promise<CiEdits> {
  const { configurations, stackFolder, repository } = facts;
  const { ledger: ledgerPlace } = repository;
  const texts = new TextEdits(stackFolder, host.cwd);
  const groups = findSecretGroups(configurations, codeHost, host.env);
  const { grouped, ungrouped } = await groupDeclarations(groups, texts);
  // A new configuration has `ledger:` already.
  const mayLackPlace = !facts.isFresh && facts.hasLedgerPlace;
  const ledgerFile = mayLackPlace ? await writeLedgerPlace(facts, texts) : undefined;
  return {
    files: texts.edits(),
    groups: grouped,
    ungrouped,
    moves: facts.hasLedgerPlace && isGitPlace(ledgerPlace) ? await findLedgersOnDisk(facts, host) : [],
    ledgerPlace,
    ledgerFile,
  };
}

/**
 * Edits the declarations of groups of secrets in memory, for `init --ci`, so that each group is read from one JSON object. Returns as
 * `ungrouped` the groups with a declaration that cannot be edited, which stay as they are.
 */
async function groupDeclarations(
  groups: readonly SecretGroup[],
  texts: TextEdits,
): Promise<{ grouped: SecretGroup[]; ungrouped: SecretGroup[] }> {
  const grouped: SecretGroup[] = [];
  const ungrouped: SecretGroup[] = [];
  for (const group of groups)
    if (await canDeclareAsJson(group, texts)) grouped.push(group);
    else ungrouped.push(group);
  // From the end of a file to its start, so that the places of the remaining declarations stay valid.
  const declarations = grouped
    .flatMap((group) => group.declarations)
    .sort((a, b) => b.line - a.line || b.column - a.column);
  for (const { file, line, column } of declarations)
    await texts.edit(file, (text) => declareAsJson(text, { line, column }));
  return { grouped, ungrouped };
}

/** True if each declaration of a group of secrets (`db: {}`) can be changed to take all members from one JSON secret. */
async function canDeclareAsJson({ declarations }: SecretGroup, texts: TextEdits): Promise<boolean> {
  const results = declarations.map(async ({ file, line, column }) => {
    const text = await texts.read(file);
    return text !== undefined && declareAsJson(text, { line, column }) !== undefined;
  });
  return (await Promise.all(results)).every(Boolean);
}

/**
 * Edits the YAML so that it names the place of the ledgers, and returns the name of the edited file: the workspace file, or the file with
 * the header. Undefined if the YAML names a place that CI can use, or if its form does not allow the edit.
 */
async function writeLedgerPlace(facts: InspectedRepository, texts: TextEdits): Promise<string | undefined> {
  const { configurations, repository, stackFolder, files } = facts;
  const lacksCiPlace = ({ ledger }: Configuration) => ledger === undefined || isFilePlace(ledger.place);
  const lacking = configurations.filter(lacksCiPlace);
  // A workspace file that is written for the stages of one configuration names the place already.
  if (lacking.length === 0 || files.length > 0) return undefined;
  // A configuration whose own `ledger:` names a file: that would hide the `ledger:` of the workspace.
  const withFilePlace = lacking.find(({ ledger }) => ledger !== undefined);
  const editsWorkspaceFile = 'workspace' in repository.stacks && withFilePlace === undefined;
  const candidates = editsWorkspaceFile ? [workspaceFileName] : (withFilePlace ?? lacking[0]!).files;
  const key = editsWorkspaceFile ? 'stacks' : 'stack';
  for (const file of candidates) {
    const name = path.resolve(stackFolder, file);
    if (await texts.edit(name, (text) => setLedgerPlace(text, key, repository.ledger)))
      return texts.nameOf(name);
  }
  return undefined;
}

/** Texts of files with several edits in memory, before they are written. */
class TextEdits {
  readonly #files = new Map<string, { before: string; after: string }>();
  readonly #folder: string;
  readonly #cwd: string;

  constructor(folder: string, cwd: string) {
    this.#folder = folder;
    this.#cwd = cwd;
  }

  /**
   * Returns the text of a file without its byte order mark, with the edits of `init --ci` so far; undefined if it cannot be read. The
   * edits are written only after the user has agreed. A path starts at the folder of the stacks.
   */
  async read(file: string): Promise<string | undefined> {
    const absolute = path.resolve(this.#folder, file);
    if (!this.#files.has(absolute)) {
      const text = await readFile(absolute, 'utf8').catch(() => undefined);
      if (text === undefined) return undefined;
      const before = text.replace(/^\ufeff/, '');
      this.#files.set(absolute, { before, after: before });
    }
    return this.#files.get(absolute)!.after;
  }

  /**
   * Edits the text of a file in memory with a function, such as one that adds a key; `init --ci` writes it after the user has agreed.
   * Returns false if the file cannot be read, or if the function returns undefined because its form does not allow the edit.
   */
  async edit(file: string, change: (text: string) => string | undefined): Promise<boolean> {
    const text = await this.read(file);
    const after = text === undefined ? undefined : change(text);
    if (after === undefined) return false;
    this.#files.get(path.resolve(this.#folder, file))!.after = after;
    return true;
  }

  nameOf(file: string): string {
    return path.relative(this.#cwd, file) || file;
  }

  /**
   * Returns the files whose texts the edits of `init --ci` have changed, each with both texts, for the diff that the user sees and for
   * writing them.
   */
  edits(): FileEdit[] {
    return [...this.#files]
      .filter(([, { before, after }]) => before !== after)
      .map(([file, text]) => ({ path: file, name: this.nameOf(file), ...text }));
  }
}

/**
 * Describes edits of existing files and ledgers as lines of a list, for the question of `init --ci` to the user, and for the step that
 * remains without an answer.
 */
export function describeEdits({ groups, moves, ledgerFile, ledgerPlace }: CiEdits): string[] {
  const groupTexts = groups.map(
    ({ family, keys, env, declarations }) =>
      `${listMembers(declarations.map(({ file, line }) => `${file}:${line}`))}: keep the ${keys.length} members of ${family} in one secret, a JSON object in ${env}: ${family}: { json: {} }`,
  );
  const ledgerText = `${ledgerFile}: name the place of the ledger, so that every clone finds it: ledger: ${ledgerPlace}`;
  const [ledgers, them] = moves.length === 1 ? ['the ledger', 'it'] : [count(moves.length, 'ledger'), 'them'];
  const stacks = listMembers(moves.map(({ stack }) => stack));
  const paths = listMembers(moves.map(({ file }) => file));
  return [
    ...groupTexts,
    ...(ledgerFile === undefined ? [] : [ledgerText]),
    ...(moves.length === 0
      ? []
      : [`Move ${ledgers} of ${stacks} to ${ledgerPlace}, where CI looks for ${them}: ${paths}.`]),
  ];
}

/**
 * Returns the steps of `init --ci` about families of secrets (`mail[user]`, `mail[password]`) that should be kept in one JSON secret, but
 * whose declaration a person has to change. Each step has its lines.
 */
export const describeUngrouped = ({ ungrouped }: CiEdits): string[][] =>
  ungrouped.map(({ family, keys, env, declarations }) => [
    `Keep the ${keys.length} members of ${family} in one secret, a JSON object in ${env}: write ${family}: { json: {} }`,
    `Where it is declared: ${listMembers(declarations.map(({ file, line }) => `${file}:${line}`))}. Then delete the workflows and run this again.`,
  ]);
