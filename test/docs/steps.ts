/** What a page of the documentation has its reader do, in order. */
export type Step =
  /** Where the following steps begin: an empty folder, an account, or a configuration of that account. */
  | { do: 'start'; with: string }
  /** A file that the reader has: in a hidden comment, or with its name in the first line. */
  | { do: 'write'; file: string; text: string }
  /** YAML that stands for itself. */
  | { do: 'check'; text: string }
  /** A line for the shell, and what it exits with. */
  | { do: 'run'; line: string; status: number }
  /** A line for the shell that needs more than there is here, such as a remote or another program. */
  | { do: 'read'; line: string };

/**
 * The steps of a page. Blocks of `sh` and `yaml` count; behind the language `elsewhere` says that a block is not run. A line of the shell
 * may end with `# exits with 1`.
 */
export function stepsIn(markdown: string): Step[] {
  const found: Step[] = [];
  const blocks =
    /^<!-- start: (?<start>\w+) -->$|^<!-- file: (?<hidden>\S+)\n(?<content>[\s\S]*?)^-->$|^(?<indent> *)```(?<info>[^\n]*)\n(?<body>[\s\S]*?)^ *```$/gm;
  for (const { groups } of markdown.matchAll(blocks)) {
    const { start, hidden, content, indent = '', info = '', body = '' } = groups!;
    if (start !== undefined) found.push({ do: 'start', with: start });
    else if (hidden !== undefined) found.push({ do: 'write', file: hidden, text: content! });
    else found.push(...ofBlock(info, body.replaceAll(new RegExp(`^${indent}`, 'gm'), '')));
  }
  return found;
}

function ofBlock(info: string, body: string): Step[] {
  const [language, ...words] = info.split(' ');
  const isElsewhere = words.includes('elsewhere');
  if (language === 'yaml' && !isElsewhere) {
    const [, file] = /^# (\S+\.ya?ml)\n/.exec(body) ?? [];
    return [file === undefined ? { do: 'check', text: body } : { do: 'write', file, text: body }];
  }
  if (language !== 'sh') return [];
  return body
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line): Step => {
      if (isElsewhere) return { do: 'read', line };
      return { do: 'run', line, status: Number(/# exits with (\d+)/.exec(line)?.[1] ?? 0) };
    });
}

/** The words of a line, as a shell has them, without a comment; and where its output goes. */
export function wordsOf(line: string): { words: string[]; to?: string } {
  const words = [...line.matchAll(/#.*$|(?:'[^']*'|"[^"]*"|[^\s'"#][^\s'"]*)+/g)]
    .map(([word]) => word)
    .filter((word) => !word.startsWith('#'));
  const at = words.indexOf('>');
  const plain = (word: string) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, one, other) => one ?? other);
  const all = words.map(plain);
  return at === -1 ? { words: all } : { words: all.slice(0, at), to: all[at + 1]! };
}

/** Calls of trueup in a line, or in a text between backquotes: the words behind it, up to where the shell does something else. */
export const callsIn = (text: string): string[][] =>
  [
    ...text.matchAll(
      /(?:^|[\s|;$(`])trueup ((?:'[^']*'|"[^"]*"|[^\s|;<>)#&`]+)(?: +(?:'[^']*'|"[^"]*"|[^\s|;<>)#&'"`]+))*)/g,
    ),
  ].map(([, words]) => wordsOf(words!).words);
