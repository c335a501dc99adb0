import { domainToASCII } from 'node:url';
import { expect } from 'vitest';
import type { DnsRecord, Switches } from '../../providers/hosting/twin/index.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import { describe, World } from '../support/world.ts';

/** A record as people write it in the YAML. */
export interface Wanted {
  type: string;
  name: string;
  value?: string;
  ttl?: number;
  mxPriority?: number;
  srv?: { priority: number; weight: number; port: number; target: string };
  https?: { priority: number; target: string; params?: string };
  comment?: string;
}

export const zoneName = 'example.com';

/** What the platform puts into zones by itself (and what a user may have beside it). */
export const systemRecords = [
  { type: 'CAA', name: '', value: '0 issue "letsencrypt.org"', creator: 'system', comment: 'system' },
  { type: 'ALIAS', name: '', value: 'cname.vercel-dns.com.', creator: 'system' },
  { type: 'CNAME', name: '*', value: 'cname.vercel-dns.com.', creator: 'system' },
  { type: 'CNAME', name: 'www', value: 'cname.vercel-dns.com.', creator: 'system' },
] as const;

/** A zone on a twin of its own, under one stack: every step starts from what the last one left, ledger included. */
export class Zone {
  readonly world: World;
  readonly #untouchable: string;

  private constructor(world: World) {
    this.world = world;
    this.#untouchable = this.#notOurs();
  }

  /** `records`: what is in the zone before, beside the platform's own. */
  static async start({
    records = [],
    switches = {},
    pageSize = 100,
  }: {
    records?: readonly object[];
    switches?: Partial<Switches>;
    pageSize?: number;
  } = {}) {
    const all = [...systemRecords, ...records] as (typeof systemRecords)[number][];
    return new Zone(
      await World.start({ seed: { domains: [{ name: zoneName, records: all }] }, switches, pageSize }),
    );
  }

  /**
   * One step, held to the rule: the first apply writes, the second has nothing to do, and what the platform owns stays as it
   * is. And the zone then has exactly the wanted records, told by the twin's own state.
   */
  async step(records: readonly Wanted[], options: StepOptions = {}): Promise<Plan> {
    const { inZone = records, sends, meta, ...rest } = options;
    const { world } = this;
    const yaml = zoneYaml(records, meta);
    const since = world.twin.requests.length;
    const first = await world.plan(yaml, { maxDeletions: 1000, unattended: true, ...rest });
    expect(problemsIn(first.plan)).toEqual([]);
    const { outcome } = await world.apply(first);
    expect(outcome).toMatchObject({ failed: [], postponed: [], skipped: [] });
    const written = world.writes(since);
    if (sends) expect(written.map((line) => line.split(' ')[0])).toEqual(sends);
    else expect(written).not.toEqual([]);
    expect(this.contents()).toEqual(inZone.map(stored).sort());

    const { ledger } = world;
    const second = await world.plan(yaml, rest);
    expect(describe(second.plan), 'the second plan').toBe('');
    await world.apply(second);
    expect(world.writes(since), 'the second apply writes').toEqual(written);
    expect(world.ledger, 'the second apply records').toEqual(ledger);
    expect(this.#notOurs(), 'what the platform owns').toBe(this.#untouchable);
    return first.plan;
  }

  /** The zone's records, as the twin has them, that are not the platform's. */
  get records(): DnsRecord[] {
    return this.#all().filter(({ creator }) => creator !== 'system');
  }

  /** The same as comparable text. */
  contents(): string[] {
    return this.records.map(textOf).sort();
  }

  stop(): Promise<void> {
    return this.world.stop();
  }

  #all(): DnsRecord[] {
    return this.world.twin.account.domains.find(({ name }) => name === zoneName)!.records;
  }

  #notOurs(): string {
    return JSON.stringify(this.#all().filter(({ creator }) => creator === 'system'));
  }
}

export interface StepOptions extends PlanOptions {
  /** What the zone has then, where that is not just what is declared, in the platform's spelling. */
  inZone?: readonly Wanted[];
  /** The methods of the writes of the first apply, in their order; any, but at least one, if not given. */
  sends?: string[];
  /** `$` keys of the domain, as YAML. */
  meta?: string;
}

const problemsIn = ({ diagnostics }: Plan) => diagnostics.map(({ code, message }) => `${code}: ${message}`);

/** The configuration of the zone. JSON is YAML, but for what looks like an expression. */
export const zoneYaml = (records: readonly Wanted[], meta = '$existing: true') =>
  `domains:\n  ${zoneName}:\n    ${meta}\n    records:${records
    .map((record) => `\n      - ${JSON.stringify(record).replaceAll('${', () => '$${')}`)
    .join('')}${records.length === 0 ? ' []' : ''}\n`;

/** What ends up in a zone for a wanted record, told without the kind: names below the zone, hosts whole. */
export function stored({ type, name, value, srv, https, ...rest }: Wanted): string {
  const host = (target: string) => {
    if (target === '.') return target;
    if (target === '@') return `${zoneName}.`;
    const ascii = domainToASCII(target.replace(/\.$/, '')).toLowerCase();
    return ascii.includes('.') || target.endsWith('.') ? `${ascii}.` : `${ascii}.${zoneName}.`;
  };
  const points = ['ALIAS', 'CNAME', 'MX', 'NS'].includes(type);
  const ascii = (label: string) => (/[^\0-\x7f]/.test(label) ? domainToASCII(label) : label.toLowerCase());
  return textOf({
    type,
    name: name === '@' ? '' : name.split('.').map(ascii).join('.'),
    ...(value === undefined ? {} : { value: points ? host(value) : value }),
    ...(srv ? { srv: { ...srv, target: host(srv.target) } } : {}),
    ...(https ? { https: { params: '', ...https, target: host(https.target) } } : {}),
    ...rest,
  } as DnsRecord);
}

const textOf = ({ type, name, value, mxPriority, srv, https, ttl, comment }: DnsRecord): string =>
  JSON.stringify([
    name,
    type,
    value,
    mxPriority,
    srv && [srv.priority, srv.weight, srv.port, srv.target],
    https && [https.priority, https.target, https.params],
    ttl ?? 60,
    comment ?? '',
  ]);
