import { clean, cleanLine } from './clean.ts';
import { count, listed } from './count.ts';
import { fold } from './cut.ts';
import { plainly, type Style } from './style.ts';

/** A secret of a configuration, without its value. */
export interface SecretLine {
  /** `database`; a member of a family is `db[at]`. */
  name: string;
  /** `env NAME`, `file PATH`, `command WORDS`. */
  source: string;
  /** Addresses, by name. */
  neededBy: string[];
  state: 'there' | 'missing' | 'not needed';
  /** Why it is missing, and what to do. */
  why?: string;
  hint?: string;
}

const fewUsers = 10;

/** The secrets of a stack, or of the one called `of`: what is missing stands out, and the last line counts. */
export function secretsText(secrets: SecretLine[], { style, of }: { style: Style; of?: string }): string {
  const widest = Math.min(40, Math.max(0, ...secrets.map(({ name }) => cleanLine(name).length)));
  const lines = secrets.flatMap((one) => {
    const { name, source, neededBy, state, why, hint } = one;
    const shown =
      state === 'missing' ? style.alarm(state) : state === 'there' ? 'available' : style.quiet(state);
    const more = neededBy.length - fewUsers;
    const users = neededBy.slice(0, fewUsers).map(cleanLine);
    const needed = more > 0 ? `${users.join(', ')} and ${more} more` : listed(users);
    return [
      `${style.strong(cleanLine(name).padEnd(widest))}  ${shown}  ${cleanLine(source)}`,
      ...(needed === '' ? [] : fold(`  needed by ${needed}`, style.width, '    ').map(style.quiet)),
      ...(why === undefined
        ? []
        : clean(why)
            .split('\n')
            .flatMap((line, at) => fold(at === 0 ? `  ${line}` : `  | ${line}`, style.prose, '    '))),
      ...(hint === undefined ? [] : fold(`  -> ${cleanLine(hint)}`, style.prose, '     ')),
    ];
  });
  const missing = secrets.filter(({ state }) => state === 'missing').length;
  const total = `${of === undefined ? '' : `${cleanLine(of)}: `}${count(secrets.length, 'secret')}${secrets.length === 0 ? '' : missing === 0 ? ', none missing' : `, ${missing} missing`}.`;
  return plainly([...lines, ...(lines.length > 0 ? [''] : []), style.strong(total)].join('\n'), style);
}
