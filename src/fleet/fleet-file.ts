import { hintFor, quoted } from '../config/suggest.ts';
import { describeNodeType, entryOf, type MapNode, type Node } from '../config/yaml/nodes.ts';
import { parseYaml } from '../config/yaml/read-documents.ts';
import { Source } from '../config/yaml/source.ts';
import { hasErrors, Reporter, raise, sortDiagnostics } from '../model/diagnostic.ts';
import { globFault } from '../model/glob.ts';
import { globHint } from '../model/glob-syntax.ts';
import { isRepositoryName } from './job.ts';

/** A repository that a worker may work for. */
export interface FleetRepository {
  /** A URL or a path, for git. */
  url: string;
  /** The protected branch. A worker with a key plans and applies only its commits. */
  branch: string;
  /** Globs of the stacks that the worker may work on. */
  stacks: string[];
  /** The project whose pull requests get comments with the results. */
  comments?: { github: string } | { gitlab: string };
}

const fleetFileExample =
  'repositories: { acme/shop: { url: https://git.example.com/acme/shop.git, branch: main } }';
const repositoryMembers = ['url', 'branch', 'stacks', 'comments'];

/**
 * Reads the file of `fleet work`, in which the operator of a worker lists the repositories that it may work on.
 * Returns them by the names with which jobs refer to them. Throws `Problems` with all errors of the file.
 */
export async function readFleetFile(file: string, text: string): Promise<Map<string, FleetRepository>> {
  const source = new Source(file, text);
  const { documents, diagnostics } = await parseYaml(source);
  const [root, another] = documents;
  const report = new Reporter(diagnostics);
  if (another) report.error('fleet/file', 'the file of a fleet must have a single document', { at: another });
  const isMap = root?.type === 'map';
  if (!isMap && !hasErrors(diagnostics)) {
    const content = root ? describeNodeType(root) : 'empty';
    report.error('fleet/file', `${file} names no repositories: it is ${content}`, { hint: fleetFileExample });
  }
  const isReadable = isMap && !hasErrors(diagnostics);
  const repositories = isReadable ? new FleetFileReader(report).readRepositories(root) : undefined;
  source.quote();
  if (!repositories || hasErrors(diagnostics)) raise(sortDiagnostics(diagnostics));
  return repositories;
}

/**
 * Reads the nodes of a worker's file, and reports each error at its place. A value with an error gets a placeholder, so that reading goes
 * on.
 */
class FleetFileReader {
  readonly #report: Reporter;

  constructor(report: Reporter) {
    this.#report = report;
  }

  /**
   * Reads the map `repositories` of the file of `fleet work`, by the names with which jobs refer to repositories.
   * Reports all errors.
   */
  readRepositories(root: MapNode): Map<string, FleetRepository> {
    const repositories = new Map<string, FleetRepository>();
    this.#refuseUnknown(root, ['repositories'], 'the file of a fleet');
    const node = entryOf(root, 'repositories')?.value;
    if (node?.type !== 'map' || node.entries.length === 0) {
      this.#report.error('fleet/file', '`repositories` must be a map of repositories by name', {
        at: node ?? root,
        hint: fleetFileExample,
      });
      return repositories;
    }
    for (const { key, value } of node.entries) {
      if (!isRepositoryName(key.text))
        this.#report.error('fleet/file', `${quoted(key.text)} is not a valid repository name`, {
          at: key,
          hint: 'letters, digits, `.`, `-`, `_` and `/`: acme/shop',
        });
      if (value.type === 'map') repositories.set(key.text, this.#readRepository(value));
      else
        this.#report.error(
          'fleet/file',
          `a repository is a map with \`url\` and \`branch\`, not ${describeNodeType(value)}`,
          { at: value, hint: fleetFileExample },
        );
    }
    return repositories;
  }

  /**
   * Reads one repository of the file of `fleet work`: URL, branch, stacks, comments. Refuses URLs and branches that
   * git would take for options or programs.
   */
  #readRepository(map: MapNode): FleetRepository {
    this.#refuseUnknown(map, repositoryMembers, 'a repository');
    const url = this.#readText(map, 'url');
    // The URL becomes an argument of git: `-x` would be an option, and `ext::COMMAND` would run a command.
    if (url.startsWith('-') || /^[a-z][\w+.-]*::/i.test(url))
      this.#report.error('fleet/file', 'this `url` is not one that git can fetch from', {
        at: entryOf(map, 'url')!.value,
      });
    const branch = this.#readText(map, 'branch');
    if (!/^\w[\w./-]*$/.test(branch) && branch !== '')
      this.#report.error('fleet/file', `${quoted(branch)} is not a valid branch name`, {
        at: entryOf(map, 'branch')!.value,
      });
    const comments = entryOf(map, 'comments')?.value;
    return {
      url,
      branch,
      stacks: this.#readStacks(map) ?? ['**'],
      comments: comments && this.#readComments(comments),
    };
  }

  /**
   * Reads `comments` of a repository in the file of `fleet work`: the project of GitHub or GitLab on whose pull
   * requests the worker comments. Reports errors, and returns a placeholder then.
   */
  #readComments(node: Node): NonNullable<FleetRepository['comments']> {
    const hint = '`comments: { github: acme/shop }`, or `{ gitlab: 1234 }`, the number of the project';
    const placeholder = { github: '' };
    if (node.type !== 'map' || node.entries.length !== 1) {
      this.#report.error('fleet/file', '`comments` names one place', { at: node, hint });
      return placeholder;
    }
    const [{ key, value }] = node.entries as [MapNode['entries'][number]];
    const text = value.type === 'scalar' ? value.text : '';
    if (key.text === 'github' && /^[\w.-]+\/[\w.-]+$/.test(text)) return { github: text };
    if (key.text === 'gitlab' && /^\d+$/.test(text)) return { gitlab: text };
    this.#report.error('fleet/file', `\`comments\` cannot be ${quoted(key.text)}: ${quoted(text)}`, {
      at: value,
      hint,
    });
    return placeholder;
  }

  /**
   * Reads a required text of a repository in the file of `fleet work`, such as `url`. Reports a missing one, and
   * returns the empty text for it, so that the reading goes on and all errors of the file are found.
   */
  #readText(map: MapNode, name: string): string {
    const node = entryOf(map, name)?.value;
    if (node?.type === 'scalar' && node.value !== null && node.text !== '') return node.text;
    this.#report.error('fleet/file', `this repository has no \`${name}\``, {
      at: node ?? map,
      hint: fleetFileExample,
    });
    return '';
  }

  /**
   * Reads the globs of the stacks that a worker may work on (`stacks`), a list or a single one; undefined if the
   * member is missing. Invalid globs are reported and left out.
   */
  #readStacks(map: MapNode): string[] | undefined {
    const node = entryOf(map, 'stacks')?.value;
    if (!node) return undefined;
    const items = node.type === 'list' ? node.items : [node];
    return items.flatMap((item) => this.#readGlob(item) ?? []);
  }

  /** Reads one glob of `stacks`. Reports anything else, and returns undefined for it. */
  #readGlob(item: Node): string | undefined {
    if (item.type !== 'scalar' || item.value === null || item.text === '') {
      this.#report.error('fleet/file', `\`stacks\` must be a list of globs, not ${describeNodeType(item)}`, {
        at: item,
        hint: "stacks: [dns, 'shop@*']",
      });
      return undefined;
    }
    const fault = globFault(item.text);
    if (fault === undefined) return item.text;
    this.#report.error('fleet/file', fault, { at: item, hint: globHint });
    return undefined;
  }

  /**
   * Reports the unknown members of a map in the file of `fleet work`, except those that start with `x-`. `noun`:
   * what the map is, for the message.
   */
  #refuseUnknown(map: MapNode, knownMembers: string[], noun: string): void {
    for (const { key } of map.entries)
      if (!knownMembers.includes(key.text) && !key.text.startsWith('x-'))
        this.#report.error('fleet/file', `${noun} has no ${quoted(key.text)}`, {
          at: key,
          hint: hintFor(key.text, knownMembers),
        });
  }
}
