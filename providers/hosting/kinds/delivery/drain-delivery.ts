import * as z from 'zod';
import { atomic, type Fields, openEnum, secret } from '#kind';

const text = () => z.string().optional();

/** The destination of a drain: the members of all delivery types together. */
export const delivery = () =>
  z.strictObject({
    type: openEnum(['http', 'otlphttp', 's3']).describe('The way that it goes.'),
    endpoint: z
      .union([z.string().min(1), z.strictObject({ traces: z.string().min(1) })])
      .describe('A URL; for `otlphttp` `{ traces: URL }`.'),
    encoding: openEnum(['json', 'ndjson', 'proto']).describe('How it is written.'),
    compression: openEnum(['gzip', 'none']).nullable().optional().describe('Whether it is compressed.'),
    headers: atomic(z.record(z.string(), secret(z.string())))
      .optional()
      .describe('All headers of each request, up to 5; `{}` for none. Their values are kept secret.'),
    secret: secret(z.string().min(32))
      .optional()
      .describe('Signs each request; made by the platform without it.'),
    fileStructure: openEnum(['hive']).optional().describe('How files are laid out, for `s3`.'),
    roleArn: text().describe('The role that writes, for `s3`.'),
    region: text().describe('The region of the bucket, for `s3`.'),
    serverSideEncryption: openEnum(['AES256', 'aws:kms', 'aws:kms:dsse']).optional().describe('For `s3`.'),
    objectAcl: openEnum(['private', 'bucket-owner-read', 'bucket-owner-full-control'])
      .nullable()
      .optional()
      .describe('For `s3`.'),
  });

const s3 = ['fileStructure', 'roleArn', 'region', 'serverSideEncryption', 'objectAcl'];
const byType: Record<string, { needs: string[]; refuses: string[] }> = {
  http: { needs: [], refuses: s3 },
  otlphttp: { needs: [], refuses: [...s3, 'compression'] },
  s3: { needs: ['compression', 'fileStructure', 'roleArn', 'region'], refuses: ['headers', 'secret'] },
};

/** Members that the type of delivery needs, or cannot have. */
export function deliveryProblems({ delivery: given }: Fields) {
  const way = (given ?? {}) as Fields;
  const rules = byType[String(way.type)];
  if (!rules) return [];
  const say = (name: string, message: string) => ({ path: ['delivery', name], message });
  const isTraces = typeof way.endpoint === 'object';
  return [
    ...rules.needs
      .filter((name) => way[name] == null)
      .map((name) => say(name, `\`${way.type}\` needs \`${name}\``)),
    ...rules.refuses
      .filter((name) => way[name] != null)
      .map((name) => say(name, `\`${way.type}\` has no \`${name}\``)),
    ...(isTraces === (way.type === 'otlphttp')
      ? []
      : [say('endpoint', isTraces ? `\`${way.type}\` takes a URL` : '`otlphttp` takes `{ traces: URL }`')]),
  ];
}

/** A delivery as it is written: without what another type has left of its own, with the headers that must be there, if only empty. */
export function writtenDelivery(way: Fields): Fields {
  const refused = byType[String(way.type)]?.refuses ?? [];
  const members = Object.entries(way).filter(([name]) => !refused.includes(name));
  return { ...(refused.includes('headers') ? {} : { headers: {} }), ...Object.fromEntries(members) };
}
