import type { ZoneRecord } from '../../kind/foreign.ts';
import { type Diagnostic, Problems, problem } from '../../model/diagnostic.ts';
import { linesOf, type Word, type ZoneLine } from './zone-lines.ts';

/** A record with the line that it stands in. */
export type FoundRecord = ZoneRecord & { line: number };

export interface Zone {
  /** Without a final dot. */
  name: string;
  records: FoundRecord[];
}

const types =
  /^(A|AAAA|ALIAS|ANAME|CAA|CDNSKEY|CDS|CNAME|DNAME|DNSKEY|DS|HINFO|HTTPS|LOC|MX|NAPTR|NS|NSEC|NSEC3|NSEC3PARAM|OPENPGPKEY|PTR|RP|RRSIG|SMIMEA|SOA|SPF|SRV|SSHFP|SVCB|TLSA|TXT|URI|TYPE\d+)$/;
/** Which fields of the data are hosts: what has no final dot is relative to the origin. */
const hosts: Record<string, number> = { ALIAS: 0, ANAME: 0, CNAME: 0, HTTPS: 1, MX: 1, NS: 0, SRV: 3 };

/**
 * Reads a zone file as RFC 1035 has it, with `$ORIGIN` and `$TTL`. `origin`: the zone where the file does not say; the zone is that of
 * the SOA record, else the first origin. Throws `Problems` with the places of all mistakes.
 */
export function readZoneFile(text: string, file: string, origin?: string): Zone {
  return new ZoneReader(file, origin).read(text);
}

class ZoneReader {
  readonly #file: string;
  readonly #problems: Diagnostic[] = [];
  readonly #records: FoundRecord[] = [];
  #origin: string | undefined;
  #zone: string | undefined;
  #ttl: number | undefined;
  #owner: string | undefined;

  constructor(file: string, origin: string | undefined) {
    this.#file = file;
    this.#origin = origin && `${origin.replace(/\.$/, '')}.`;
  }

  read(text: string): Zone {
    for (const line of linesOf(text, (at, message) => this.#say(at, message))) this.#line(line);
    if (this.#problems.length > 0) throw new Problems(this.#problems);
    const zone = this.#zone ?? this.#origin;
    if (zone === undefined)
      throw new Problems([
        problem('from/zone', `${this.#file}: the zone is unknown`, {
          hint: 'pass it with --zone example.com',
        }),
      ]);
    return {
      name: zone.replace(/\.$/, '').toLowerCase(),
      records: this.#records.map((one) => ({ ...one, name: relative(one.name, zone) })),
    };
  }

  #line({ words, hasOwner }: ZoneLine): void {
    const [first, ...rest] = words;
    if (first!.text.startsWith('$') && !first!.isQuoted) {
      this.#directive(first!, rest);
      return;
    }
    if (hasOwner) this.#owner = this.#absolute(first!);
    if (this.#owner === undefined) {
      if (!hasOwner) this.#say(first!, 'this record has no name');
      return;
    }
    this.#record(hasOwner ? rest : words, words.at(-1)!);
  }

  /** The text behind the name: a time and a class, in any order, then the type and the data. */
  #record(words: readonly Word[], last: Word): void {
    let ttl = this.#ttl;
    const at = words.findIndex(({ text }) => types.test(text.toUpperCase()));
    for (const word of at < 0 ? words : words.slice(0, at)) {
      const seconds = durationOf(word.text);
      if (seconds !== undefined) ttl = seconds;
      else if (!/^(IN|CH|HS)$/i.test(word.text)) {
        this.#say(word, `\`${word.text}\` is not a record type, a TTL or a class`);
        return;
      }
    }
    const [type, ...data] = at < 0 ? [] : words.slice(at);
    if (!type) this.#say(last, 'this record has no type');
    else if (data.length === 0) this.#say(type, 'this record has no value');
    else this.#add(type.text.toUpperCase(), data, ttl);
  }

  #add(type: string, data: Word[], ttl: number | undefined): void {
    const host = hosts[type];
    const texts = data.map((word, index) => (index === host ? this.#absolute(word) : word.text));
    if (texts.includes(undefined)) return;
    const name = this.#owner!;
    if (type === 'SOA') this.#zone ??= name;
    this.#records.push({
      name,
      // What others call ANAME is an ALIAS here.
      type: type === 'ANAME' ? 'ALIAS' : type,
      ...(ttl === undefined ? {} : { ttl }),
      data: texts as string[],
      line: data[0]!.line,
    });
  }

  #directive(name: Word, [value]: Word[]): void {
    const called = name.text.toUpperCase();
    if (!value) this.#say(name, `\`${name.text}\` has no value`);
    else if (called === '$ORIGIN') {
      this.#origin = this.#absolute(value);
      this.#zone ??= this.#origin;
    } else if (called === '$TTL') {
      this.#ttl = durationOf(value.text);
      if (this.#ttl === undefined) this.#say(value, `\`${value.text}\` is not a valid time`);
    } else this.#say(name, `\`${name.text}\` is not supported`, 'write its records out');
  }

  /** A name with a final dot; undefined, and reported, where nothing says what it is relative to. */
  #absolute(word: Word): string | undefined {
    const { text } = word;
    if (text.endsWith('.') && !word.isQuoted) return text.toLowerCase();
    if (this.#origin === undefined) {
      this.#say(
        word,
        `\`${text}\` is relative, but there is no $ORIGIN`,
        'pass the zone with --zone example.com',
      );
      return undefined;
    }
    if (text === '@') return this.#origin;
    return this.#origin === '.' ? `${text.toLowerCase()}.` : `${text.toLowerCase()}.${this.#origin}`;
  }

  #say({ line, column }: Pick<Word, 'line' | 'column'>, message: string, hint?: string): void {
    const at = { file: this.#file, line, column };
    this.#problems.push(problem('from/zone-file', message, { at, ...(hint ? { hint } : {}) }));
  }
}

const relative = (name: string, zone: string): string => {
  const end = zone.toLowerCase();
  if (name === end) return '@';
  return name.endsWith(`.${end}`) ? name.slice(0, -end.length - 1) : name;
};

const seconds: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Seconds of a time as zone files have it: `3600`, `1h`, `1h30m`. Undefined for anything else. */
function durationOf(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  if (!/^(\d+[smhdw])+$/i.test(text)) return undefined;
  return [...text.matchAll(/(\d+)([smhdw])/gi)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * seconds[unit!.toLowerCase()]!,
    0,
  );
}
