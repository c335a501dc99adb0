import type { ZoneRecord } from '../../kind/foreign.ts';
import { Reporter, raise, raiseErrors } from '../../model/diagnostic.ts';
import type { TextPlace } from '../../model/read-json.ts';
import { splitZoneFile, type Word, type ZoneLine } from './zone-lines.ts';

/** A record with its line in the file, 0 if it has none. `why`: it cannot be converted, and its data may be incomplete. */
export type FoundRecord = ZoneRecord & { line: number; why?: string | undefined };

/** A DNS zone with its records. */
export interface Zone {
  /** Without a final dot. */
  name: string;
  records: FoundRecord[];
}

/** The index of the data field that is a host, by record type. A host without a final dot is relative to the origin. */
const hostIndex: Partial<Record<string, number>> = { ALIAS: 0, CNAME: 0, HTTPS: 1, MX: 1, NS: 0, SRV: 3 };

const hasEscape = 'it has a name in quotes or with an escape, which the platform does not support';
const notText = 'its text is not UTF-8';

/**
 * Reads a zone file in the form of RFC 1035, with `$ORIGIN` and `$TTL`. The zone is that of the SOA record, else `zone`, else the first
 * `$ORIGIN`. Throws `Problems` with the places of all mistakes.
 */
export function readZoneFile(text: string, file: string, options: ZoneFileOptions): Zone {
  return new ZoneReader(file, options).read(text);
}

interface ZoneFileOptions {
  /** The zone, if the file does not name it. */
  zone?: string | undefined;
  /** Returns the normal spelling of a domain name, without a final dot. */
  normalName(name: string): string;
}

/** A name with a final dot, or the reason why it cannot be converted; undefined if a problem was reported. */
type AbsoluteName = string | { why: string } | undefined;

/** Reads the lines of one file. Remembers the origin, the TTL and the last name, since later lines may leave them out. */
class ZoneReader {
  readonly #file: string;
  readonly #report = new Reporter();
  readonly #records: FoundRecord[] = [];
  readonly #normalName: (name: string) => string;
  /** The zone that the user named, with a final dot. */
  readonly #namedZone: string | undefined;
  /** The suffix of relative names. */
  #origin: string | undefined;
  #firstOrigin: string | undefined;
  /** The name of the SOA record: the name of the zone. */
  #soa: string | undefined;
  #defaultTtl: number | undefined;
  /** The last TTL that a record stated: without `$TTL`, it holds for the records behind it. */
  #lastTtl: number | undefined;
  /** The name of the last record. A line without a name has the same. */
  #owner: AbsoluteName;

  /**
   * Creates the reader of a zone file (DNS records as text), which `from` converts to a configuration.
   * `zone`: the zone that the user named with `--zone`; it is also the origin, to which relative names
   * belong.
   */
  constructor(file: string, { zone, normalName }: ZoneFileOptions) {
    this.#file = file;
    this.#normalName = normalName;
    this.#namedZone = zone && this.#toNormalName(zone);
    this.#origin = this.#namedZone;
  }

  /**
   * Reads all lines of a zone file and returns the zone, for `trueup from zonefile`. Throws `Problems` if there are mistakes, or if the
   * zone is unknown or contradicts `--zone`.
   */
  read(text: string): Zone {
    for (const line of splitZoneFile(text, (textPlace, message) => this.#reject(textPlace, message)))
      this.#readLine(line);
    const zone = this.#soa ?? this.#namedZone ?? this.#firstOrigin;
    if (this.#namedZone !== undefined && this.#soa !== undefined && this.#soa !== this.#namedZone)
      this.#report.error('from/zone', `${this.#file}: its SOA record is that of another zone than --zone`, {
        hint: 'leave out --zone',
      });
    raiseErrors(this.#report.diagnostics);
    if (zone === undefined)
      raise('from/zone', `${this.#file}: the zone is unknown`, {
        hint: 'pass it with --zone example.com',
      });
    return {
      name: zone.replace(/\.$/, ''),
      records: this.#records.map((record) => toRelativeName(zone, record)),
    };
  }

  /**
   * Reads a line of a zone file for `trueup from zonefile`: a directive (`$TTL`), or a record with or without its name (its owner, in the terms
   * of DNS). A record without a name has the name of the previous one. The last word also goes to `#readRecord`, for the place of messages.
   */
  #readLine({ words, hasOwner }: ZoneLine): void {
    const [first, ...others] = words;
    if (hasOwner && first!.written.startsWith('$') && !first!.isQuoted) {
      this.#readDirective(first!, others);
      return;
    }
    if (hasOwner) this.#owner = this.#absoluteName(first!);
    if (this.#owner === undefined) {
      // A name that could not be read is already reported.
      if (!hasOwner) this.#reject(first!, 'this record has no name');
      return;
    }
    this.#readRecord(hasOwner ? others : words, words.at(-1)!);
  }

  /**
   * Reads a DNS record of a zone file behind its name: a TTL and a class, in any order, then the type and the data. Without a TTL it has
   * that of `$TTL` or else the last one that a record stated. Reports a record without a type, at the word `last`.
   */
  #readRecord(words: readonly Word[], last: Word): void {
    const typeIndex = words.findIndex(
      ({ written, isQuoted }) => !isQuoted && parseRecordType(written) !== undefined,
    );
    const hasType = typeIndex >= 0;
    const prefix = this.#readPrefix(hasType ? words.slice(0, typeIndex) : words);
    // A problem was reported.
    if (!prefix) return;
    const [type, ...data] = hasType ? words.slice(typeIndex) : [];
    if (!type) {
      this.#reject(last, 'this record has no type');
      return;
    }
    const { ttl, otherClass } = prefix;
    this.#lastTtl = ttl ?? this.#lastTtl;
    if (data.length === 0) {
      this.#reject(type, 'this record has no value');
      return;
    }
    this.#addRecord(parseRecordType(type.written)!, data, {
      ttl: ttl ?? this.#defaultTtl ?? this.#lastTtl,
      why: otherClass && `it is of the class ${otherClass}`,
    });
  }

  /**
   * Reads the words of a DNS record between its name and its type: a TTL in seconds and a class. `otherClass` is undefined for the usual
   * class, `IN`. Undefined after it reported a word that is neither.
   */
  #readPrefix(
    words: readonly Word[],
  ): { ttl: number | undefined; otherClass: string | undefined } | undefined {
    let ttl: number | undefined;
    let otherClass: string | undefined;
    for (const word of words) {
      const seconds = secondsIn(word.written);
      const isClass = /^(IN|CH|HS|CLASS\d+)$/i.test(word.written);
      if (seconds !== undefined && !word.isQuoted) ttl = seconds;
      else if (isClass && !/^(IN|CLASS1)$/i.test(word.written)) otherClass = word.written.toUpperCase();
      else if (!isClass) {
        this.#reject(word, `\`${word.written}\` is not a record type, a TTL or a class`);
        return undefined;
      }
    }
    return { ttl, otherClass };
  }

  /**
   * Adds a DNS record to the zone, which `trueup from` then converts. An SOA record also sets the name and the default TTL of the zone.
   * `why`: the reason why the record cannot be converted, if there is one already; such a record is listed for the user instead.
   */
  #addRecord(
    type: string,
    words: Word[],
    { ttl, why }: { ttl: number | undefined; why: string | undefined },
  ): void {
    // `#readLine` reads only records with a name.
    const owner = this.#owner!;
    if (type === 'SOA' && typeof owner === 'string') {
      this.#soa ??= owner;
      // If no TTL was stated before, the last field of the SOA record is the TTL of the zone.
      if (this.#lastTtl === undefined) this.#defaultTtl ??= secondsIn(words.at(-1)!.written);
    }
    const data = this.#dataOf(type, words);
    // A problem was reported.
    if (data === undefined) return;
    const whyOfName = typeof owner === 'string' ? undefined : owner.why;
    const whyOfData = Array.isArray(data) ? undefined : data.why;
    this.#records.push({
      name: typeof owner === 'string' ? owner : '',
      type,
      ttl,
      data: Array.isArray(data) ? data : [],
      line: words[0]!.line,
      why: why ?? whyOfName ?? whyOfData,
    });
  }

  /**
   * Returns the fields of the data of a DNS record in a zone file: `10 mail.example.com.` of an MX record is
   * the priority and the host. Hosts become absolute names. Returns the reason if they cannot be converted to
   * a configuration, and undefined if a problem in the file was reported.
   */
  #dataOf(type: string, words: readonly Word[]): string[] | { why: string } | undefined {
    if (words[0]!.written === '\\#' && !words[0]!.isQuoted)
      return readGenericData(
        type,
        words.slice(1).map(({ written }) => written),
      );
    // A long text consists of pieces of 255 bytes, so a piece may end within a character.
    if (type === 'TXT') {
      const text = utf8Text(Uint8Array.from(words.flatMap(({ bytes }) => [...bytes])));
      return text === undefined ? { why: notText } : [text];
    }
    const fields = words.map((word, index): AbsoluteName => {
      if (index === hostIndex[type]) return this.#absoluteName(word);
      // The quotes and escapes of service parameters are part of their values.
      if (type === 'HTTPS' && index > 1)
        return word.isQuoted ? { why: 'a service parameter is in quotes as a whole' } : word.written;
      return utf8Text(word.bytes) ?? { why: notText };
    });
    if (fields.includes(undefined)) return undefined;
    const unconvertible = fields.find((field) => typeof field === 'object');
    return typeof unconvertible === 'object' ? unconvertible : (fields as string[]);
  }

  /**
   * Reads a directive of a zone file: `$ORIGIN`, to which relative names belong (the first one can also name the zone), or `$TTL`, the
   * default for later records. Reports other directives and wrong values, because later records would be misread.
   */
  #readDirective(name: Word, [value, ...others]: Word[]): void {
    const directive = name.written.toUpperCase();
    if (directive !== '$ORIGIN' && directive !== '$TTL')
      this.#reject(name, `\`${name.written}\` is not supported`, 'write its records out');
    else if (!value || others.length > 0)
      this.#reject(others[0] ?? name, `\`${name.written}\` needs one value`);
    else if (directive === '$TTL') {
      this.#defaultTtl = secondsIn(value.written);
      if (this.#defaultTtl === undefined) this.#reject(value, `\`${value.written}\` is not a valid time`);
    } else {
      const origin = this.#absoluteName(value);
      if (typeof origin === 'object') this.#reject(value, 'an origin cannot have quotes or escapes');
      else this.#origin = origin;
      if (typeof origin === 'string' && origin !== '.') this.#firstOrigin ??= origin;
    }
  }

  /**
   * Returns a name of a zone file with a final dot, so that names can be compared: a relative name gets the
   * origin behind it. Reports a relative name if the file has no origin yet.
   */
  #absoluteName(word: Word): AbsoluteName {
    const { written, isQuoted } = word;
    if (isQuoted || written.includes('\\') || written.includes('"')) return { why: hasEscape };
    if (written.endsWith('.')) return this.#toNormalName(written);
    if (this.#origin === undefined) {
      this.#reject(
        word,
        `\`${written}\` is relative, but there is no $ORIGIN`,
        'pass the zone with --zone example.com',
      );
      return undefined;
    }
    if (written === '@') return this.#origin;
    return this.#toNormalName(`${written}.${this.#origin === '.' ? '' : this.#origin}`);
  }

  /** Returns the normal spelling of an absolute name, with a final dot. */
  #toNormalName(name: string): string {
    return `${this.#normalName(name)}.`;
  }

  /** Reports a mistake at a place of the file. */
  #reject({ line, column }: TextPlace, message: string, hint?: string): void {
    this.#report.error('from/zone-file', message, { at: { file: this.#file, line, column }, hint });
  }
}

/**
 * Returns a DNS record with a name relative to its zone, as the platform has it (`www`, `@`). A record outside the zone gets a reason
 * (`why`), so that `trueup from` reports it and does not convert it.
 */
function toRelativeName(zone: string, record: FoundRecord): FoundRecord {
  const { name } = record;
  if (name === zone) return { ...record, name: '@' };
  if (name.endsWith(`.${zone}`)) return { ...record, name: name.slice(0, -zone.length - 1) };
  return { ...record, why: record.why ?? `it is outside the zone ${zone}` };
}

const unitSeconds: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/**
 * Parses a TTL or another time of a zone file to seconds: `3600`, `1h`, `1h30m`. Returns undefined for any other word, because a TTL is
 * optional and the word may be a class.
 */
function secondsIn(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  if (!/^(\d+[smhdw])+$/i.test(text)) return undefined;
  return [...text.matchAll(/(\d+)([smhdw])/gi)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * unitSeconds[unit!.toLowerCase()]!,
    0,
  );
}

/** The record types of zone files. Their numbers and data in the generic form of RFC 3597 follow. */
const typeNames =
  /^(A|AAAA|ALIAS|ANAME|CAA|CDNSKEY|CDS|CERT|CNAME|CSYNC|DHCID|DNAME|DNSKEY|DS|EUI48|EUI64|HINFO|HIP|HTTPS|IPSECKEY|LOC|MX|NAPTR|NS|NSEC|NSEC3|NSEC3PARAM|OPENPGPKEY|PTR|RP|RRSIG|SMIMEA|SOA|SPF|SRV|SSHFP|SVCB|TLSA|TXT|URI|ZONEMD)$/;

const typeNumbers: Record<string, string> = {
  1: 'A',
  2: 'NS',
  5: 'CNAME',
  6: 'SOA',
  12: 'PTR',
  15: 'MX',
  16: 'TXT',
  28: 'AAAA',
  33: 'SRV',
  39: 'DNAME',
  64: 'SVCB',
  65: 'HTTPS',
  257: 'CAA',
};

/**
 * Returns the name of a record type, also for its number (`TYPE257`). Returns undefined for any other word, so that the type can be found
 * in a line.
 */
function parseRecordType(word: string): string | undefined {
  const upper = word.toUpperCase();
  const [, number] = /^TYPE0*(\d{1,5})$/.exec(upper) ?? [];
  if (number !== undefined) return typeNumbers[number] ?? `TYPE${number}`;
  // An ANAME of other providers is an ALIAS here.
  if (upper === 'ANAME') return 'ALIAS';
  return typeNames.test(upper) ? upper : undefined;
}

/**
 * Reads DNS record data in the generic form `\# LENGTH HEX` of a zone file (RFC 3597), which any record may have, and returns the fields in
 * the usual form of the type. Returns the reason if that is not possible, which `trueup from` reports.
 */
function readGenericData(type: string, words: readonly string[]): string[] | { why: string } {
  const [length = '', ...hex] = words;
  const digits = hex.join('');
  if (!/^(?:[0-9a-f]{2})*$/i.test(digits) || Number(length) * 2 !== digits.length)
    return { why: 'its data is not as long as it says' };
  const bytes = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const readBytes = readers[type];
  if (!readBytes)
    return { why: `the generic form of a record of type ${type} is not read: write its fields` };
  return readBytes(bytes) ?? { why: `its data is not that of a record of type ${type}` };
}

/** Returns the fields in bytes; undefined if the bytes do not fit the type. */
type ReadBytes = (bytes: Uint8Array) => string[] | undefined;

const readers: Partial<Record<string, ReadBytes>> = {
  A: (bytes) => (bytes.length === 4 ? [bytes.join('.')] : undefined),
  AAAA: (bytes) => (bytes.length === 16 ? [groupsOf(bytes).join(':')] : undefined),
  CAA(bytes) {
    const [flags, tagLength = 0] = bytes;
    const [tag, value] = [utf8Text(bytes.slice(2, 2 + tagLength)), utf8Text(bytes.slice(2 + tagLength))];
    return tag?.length === tagLength && tagLength > 0 && value !== undefined
      ? [String(flags), tag, value]
      : undefined;
  },
  TXT(bytes) {
    const pieces: number[] = [];
    let index = 0;
    for (; index < bytes.length; index += 1 + bytes[index]!)
      pieces.push(...bytes.slice(index + 1, index + 1 + bytes[index]!));
    const text = utf8Text(Uint8Array.from(pieces));
    return index === bytes.length && index > 0 && text !== undefined ? [text] : undefined;
  },
};

/** Returns the eight groups of an IPv6 address in hexadecimal form. */
const groupsOf = (bytes: Uint8Array): string[] =>
  Array.from({ length: 8 }, (_, index) => ((bytes[2 * index]! << 8) | bytes[2 * index + 1]!).toString(16));

/**
 * Returns the text that the bytes of a DNS record stand for; undefined if they are not UTF-8. `trueup from` then leaves the record out,
 * because a configuration can contain only text.
 */
function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
