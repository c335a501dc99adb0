import * as z from 'zod';
import {
  createOnly,
  defineKind,
  type Fields,
  immutable,
  label,
  problem,
  type Step,
  secret,
  setOf,
  withTraits,
  writeOnly,
} from '#kind';
import { labelled } from '#shapes';
import { domainName, nameProblems } from './host-name.ts';

const pem = (what: string) =>
  immutable(writeOnly(z.string().min(1)))
    .optional()
    .describe(`${what}, as PEM. Changing it replaces the certificate.`);

/** One that has its certificate and key from elsewhere. */
const isUploaded = ({ cert, key, ca }: Fields): boolean => [cert, key, ca].some((pem) => pem !== undefined);

/**
 * A certificate: issued by the platform for names, or uploaded. The platform has no name for it and no way to change it, and answers
 * neither where it is from nor any part of it; that it renews those that it issues, and no others, tells them apart.
 */
export const certificate = defineKind({
  name: 'certificate',
  doc: 'A certificate, issued by the platform or uploaded. Domains of projects get one automatically.',
  section: 'certificates',
  otherWords: ['cert', 'ssl', 'tls'],
  key: ['label'],
  shape: labelled([['cns', 'autoRenew']]),
  usual: { autoRenew: true },
  fields: () => ({
    label: label().describe('Its name here; the platform has none.'),
    cns: immutable(withTraits(setOf(domainName()).min(1), { within: 'domain' })).describe(
      'The names it covers, such as `www.example.com` or `*.example.com`. For an uploaded one, those in it.',
    ),
    cert: pem('The certificate to upload, instead of one that the platform issues'),
    key: secret(immutable(writeOnly(z.string().min(1))))
      .optional()
      .describe(
        'The private key of the certificate to upload, as PEM. Changing it replaces the certificate.',
      ),
    ca: pem('The certificate chain of the one to upload'),
    skipValidation: createOnly(z.boolean())
      .optional()
      .describe('Whether the platform skips validation of the upload.'),
    autoRenew: z
      .boolean()
      .optional()
      .describe('Identifies it: the platform renews what it issued. It cannot be changed.'),
  }),
  example: `secrets: { shop-cert: {}, shop-ca: {}, shop-key: {} }
certificates:
  wildcard: { cns: [example.com, '*.example.com'] }
  shop:
    cns: [shop.example.com]
    cert: \${secret.shop-cert}
    ca: \${secret.shop-ca}
    key: \${secret.shop-key}`,
  rules: {
    check: (fields) => problemsOf(fields),
    normal: (fields) => ({ autoRenew: !isUploaded(fields), ...fields }),
    // It tells which one is meant; whether that is still renewed is the platform's to decide.
    align: ({ desired: { fields }, live }) => ({
      desired: live ? { ...fields, autoRenew: live.fields.autoRenew! } : fields,
    }),
    grade: ({ action }) =>
      action === 'delete' || action === 'replace'
        ? {
            grade: action === 'delete' ? 'irreversible' : 'disruptive',
            reason: 'names not covered by another certificate become unreachable',
          }
        : undefined,
  },
  read: { endpoint: 'GET /v8/certs', items: 'certs', byId: { endpoint: 'GET /v8/certs/{id}' } },
  create: [
    {
      endpoint: 'POST /v8/certs',
      when: (step) => !isUploaded(step.after!.fields),
      body: ({ body: { cns } }) => ({ cns }),
      // While the names are validated nothing is made that could be waited for: it has to be asked for again.
      late: ['validation_running'],
      refuses: refuseMissingParts,
    },
    {
      endpoint: 'PUT /v8/certs',
      when: (step) => isUploaded(step.after!.fields),
      body: ({ body: { cns: _, autoRenew: __, ...parts } }) => parts,
    },
  ],
  delete: 'DELETE /v8/certs/{id}',
});

/**
 * Reports host names that cannot have a certificate, and fields of a certificate that contradict each other. Used
 * when the configuration is checked.
 */
function problemsOf(fields: Fields) {
  const { cns, autoRenew, skipValidation } = fields;
  const isWhole = ['cert', 'key', 'ca'].every((name) => fields[name] !== undefined);
  const together = 'upload `cert`, `key` and `ca` together';
  return [
    ...(cns as string[]).flatMap((name, index) =>
      nameProblems(String(name)).map((finding) => ({ path: ['cns', index], ...finding })),
    ),
    ...(isUploaded(fields) && !isWhole ? [{ path: ['cert'], message: together }] : []),
    ...(skipValidation !== undefined && !isUploaded(fields)
      ? [{ path: ['skipValidation'], message: together }]
      : []),
    ...(isUploaded(fields) && autoRenew === true
      ? [{ path: ['autoRenew'], message: 'the platform cannot renew an uploaded certificate' }]
      : []),
  ];
}

/**
 * Refuses to create a certificate with `autoRenew: false` but without its content. An export writes an uploaded
 * certificate like that; if it no longer exists, it cannot be created again.
 */
function refuseMissingParts({ address, after }: Step) {
  if (after!.fields.autoRenew !== false) return undefined;
  return problem('certificate/parts', `${address}: it was uploaded and no longer exists`, {
    address,
    at: after!.at,
    hint: 'declare its `cert`, `key` and `ca`, or remove `autoRenew: false` to have one issued',
  });
}
