import { hintFor, quoted } from '../config/suggest.ts';
import { describeNodeType, entryOf, type MapNode, type Node } from '../config/yaml/nodes.ts';
import { parseYaml } from '../config/yaml/parse-yaml.ts';
import { Source } from '../config/yaml/source.ts';
import {
  type Diagnostic,
  hasErrors,
  Problems,
  problem,
  Reporter,
  sortDiagnostics,
} from '../model/diagnostic.ts';
import { globFault } from '../model/glob.ts';
import { globHint } from '../model/glob-syntax.ts';
import { isRepositoryName } from './job.ts';

/** A repository that a worker may work for. */
export interface FleetRepository {
  /** A URL or a path, for git. */
  url: string;
  /** Only commits of this branch are planned with a key, and applied. */
  branch: string;
  /** Globs of the stacks that are meant. */
  stacks: string[];
  /** The project whose pull requests get the outcomes as comments. */
  comments?: { github: string } | { gitlab: string };
}

const example = 'repositories: { acme/shop: { url: https://git.example.com/acme/shop.git, branch: main } }';
const repositoryMembers = ['url', 'branch', 'stacks', 'comments'];

/** Reads a worker's file: the repositories by the names that jobs have for them. Throws `Problems` with all that is wrong. */
export async function readFleetFile(file: string, text: string): Promise<Map<string, FleetRepository>> {
  const source = new Source(file, text);
  const { documents, diagnostics } = await parseYaml(source);
  const [root, another] = documents;
  const reader = new Reader(diagnostics);
  if (another)
    reader.report.error('fleet/file', 'the file of a fleet must have a single document', { at: another });
  const found = root?.type === 'map' && !hasErrors(diagnostics) ? reader.repositories(root) : undefined;
  if (!found && !hasErrors(diagnostics))
    diagnostics.push(
      problem(
        'fleet/file',
        `${file} names no repositories: it is ${root ? describeNodeType(root) : 'empty'}`,
        {
          hint: example,
        },
      ),
    );
  source.quote();
  if (!found || hasErrors(diagnostics)) throw new Problems(sortDiagnostics(diagnostics));
  return found;
}

class Reader {
  readonly report: Reporter;

  constructor(diagnostics: Diagnostic[]) {
    this.report = new Reporter(diagnostics);
  }

  repositories(root: MapNode): Map<string, FleetRepository> {
    const found = new Map<string, FleetRepository>();
    this.#refuseUnknown(root, ['repositories'], 'the file of a fleet');
    const node = entryOf(root, 'repositories')?.value;
    if (node?.type !== 'map' || node.entries.length === 0) {
      this.report.error('fleet/file', '`repositories` must be a map of repositories by name', {
        at: node ?? root,
        hint: example,
      });
      return found;
    }
    for (const { key, value } of node.entries) {
      if (!isRepositoryName(key.text))
        this.report.error('fleet/file', `${quoted(key.text)} is not a valid repository name`, {
          at: key,
          hint: 'letters, digits, `.`, `-`, `_` and `/`: acme/shop',
        });
      if (value.type !== 'map')
        this.report.error(
          'fleet/file',
          `a repository is a map with \`url\` and \`branch\`, not ${describeNodeType(value)}`,
          { at: value, hint: example },
        );
      else found.set(key.text, this.#repository(value));
    }
    return found;
  }

  #repository(map: MapNode): FleetRepository {
    this.#refuseUnknown(map, repositoryMembers, 'a repository');
    const url = this.#text(map, 'url');
    // It becomes an argument of git.
    if (url.startsWith('-') || /^[a-z][\w+.-]*::/i.test(url))
      this.report.error('fleet/file', 'this `url` is not one that git can fetch from', {
        at: entryOf(map, 'url')!.value,
      });
    const branch = this.#text(map, 'branch');
    if (!/^\w[\w./-]*$/.test(branch) && branch !== '')
      this.report.error('fleet/file', `${quoted(branch)} is not a valid branch name`, {
        at: entryOf(map, 'branch')!.value,
      });
    const comments = entryOf(map, 'comments')?.value;
    return {
      url,
      branch,
      stacks: this.#texts(map, 'stacks') ?? ['**'],
      ...(comments ? { comments: this.#comments(comments) } : {}),
    };
  }

  #comments(node: Node): NonNullable<FleetRepository['comments']> {
    const hint = '`comments: { github: acme/shop }`, or `{ gitlab: 1234 }`, the number of the project';
    const nothing = { github: '' };
    if (node.type !== 'map' || node.entries.length !== 1) {
      this.report.error('fleet/file', '`comments` names one place', { at: node, hint });
      return nothing;
    }
    const [{ key, value }] = node.entries as [MapNode['entries'][number]];
    const text = value.type === 'scalar' ? value.text : '';
    if (key.text === 'github' && /^[\w.-]+\/[\w.-]+$/.test(text)) return { github: text };
    if (key.text === 'gitlab' && /^\d+$/.test(text)) return { gitlab: text };
    this.report.error('fleet/file', `\`comments\` cannot be ${quoted(key.text)}: ${quoted(text)}`, {
      at: value,
      hint,
    });
    return nothing;
  }

  #text(map: MapNode, name: string): string {
    const node = entryOf(map, name)?.value;
    if (node?.type === 'scalar' && node.value !== null && node.text !== '') return node.text;
    this.report.error('fleet/file', `this repository has no \`${name}\``, { at: node ?? map, hint: example });
    return '';
  }

  #texts(map: MapNode, name: string): string[] | undefined {
    const node = entryOf(map, name)?.value;
    if (!node) return undefined;
    const items = node.type === 'list' ? node.items : [node];
    return items.flatMap((item) => {
      if (item.type === 'scalar' && item.value !== null && item.text !== '') {
        const fault = globFault(item.text);
        if (fault === undefined) return [item.text];
        this.report.error('fleet/file', fault, { at: item, hint: globHint });
        return [];
      }
      this.report.error('fleet/file', `\`${name}\` must be a list of globs, not ${describeNodeType(item)}`, {
        at: item,
        hint: "stacks: [dns, 'shop@*']",
      });
      return [];
    });
  }

  #refuseUnknown(map: MapNode, known: string[], what: string): void {
    for (const { key } of map.entries)
      if (!known.includes(key.text) && !key.text.startsWith('x-'))
        this.report.error('fleet/file', `${what} has no ${quoted(key.text)}`, {
          at: key,
          hint: hintFor(key.text, known),
        });
  }
}
