import type { Wanted } from './zone.ts';

type More = Pick<Wanted, 'ttl' | 'comment'>;
const of =
  (type: string) =>
  (name: string, value: string, more: More = {}): Wanted => ({ type, name, value, ...more });

/** Short ways to write records in tests. */
export const a = of('A');
export const aaaa = of('AAAA');
export const alias = of('ALIAS');
export const caa = of('CAA');
export const cname = of('CNAME');
export const ns = of('NS');
export const txt = of('TXT');
export const mx = (name: string, mxPriority: number, value: string, more: More = {}): Wanted => ({
  type: 'MX',
  name,
  value,
  mxPriority,
  ...more,
});
/** `text` as in a zone file: priority, weight, port, target. */
export const srv = (name: string, text: string, more: More = {}): Wanted => {
  const [priority, weight, port, target = '.'] = text.split(' ');
  return {
    type: 'SRV',
    name,
    srv: { priority: Number(priority), weight: Number(weight), port: Number(port), target },
    ...more,
  };
};
/** `text` as in a zone file: priority, target, params. */
export const https = (name: string, text: string, more: More = {}): Wanted => {
  const [priority, target = '.', ...params] = text.split(' ');
  return {
    type: 'HTTPS',
    name,
    https: { priority: Number(priority), target, params: params.join(' ') },
    ...more,
  };
};
