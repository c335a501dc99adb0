import * as z from 'zod';
import { type ApiObject, createOnly, defineKind, problem, secret, type WriteRequest } from '#kind';

interface Key extends ApiObject {
  status: string;
  createdAt: string;
}

const rotation: WriteRequest = {
  endpoint: 'POST /v1/kms/issuers/{kmsIssuer}/keys',
  body: ({ after }) => after!.fields,
  refuses: ({ address, after }) =>
    after!.fields.importKey === undefined
      ? problem('kms/key', `${address} is another key than the issuer has, and there is no key to import`, {
          address,
          at: after!.at,
          hint: 'give it an `importKey`, a secret with the private key in PEM',
        })
      : undefined,
};

/**
 * The key that an issuer signs with, where it is one's own. Each write is a rotation; the keys before it run out by themselves, so
 * there is one at a time, and nothing to delete.
 */
export const kmsSigningKey = defineKind({
  name: 'kmsSigningKey',
  doc: 'The key of your own that a KMS issuer signs with. Another `importKeyId` rotates it: the key before it soon stops being used.',
  section: 'signingKey',
  parent: 'kmsIssuer',
  key: [],
  fields: () => ({
    importKeyId: z
      .string()
      .min(1)
      .describe(
        'The `kid` of the key in tokens and in the published set of keys. Another one means a rotation.',
      ),
    importKey: createOnly(secret(z.string().min(1)))
      .optional()
      .describe('The private key in PEM. It is sent with another `importKeyId`, and never compared.'),
  }),
  example: `secrets: { sessions_2027: {} }
kmsIssuers:
  sessions:
    signingKey: { importKeyId: '2027-01', importKey: "\${secret.sessions_2027}" }`,
  rules: {
    grade: ({ action }) =>
      action === 'create' || action === 'update'
        ? {
            grade: 'irreversible',
            reason: 'it rotates the key: the one before it stops being used, and does not come back',
          }
        : undefined,
  },
  read: { endpoint: 'GET /v1/kms/issuers/{kmsIssuer}', item: importedIn },
  create: rotation,
  update: rotation,
});

/** The newest key that is not running out signs, or will as soon as it is activated; one of the platform's own has no name. */
function importedIn({ signingKeys }: ApiObject): ApiObject | undefined {
  if (!Array.isArray(signingKeys)) throw new Error('the answer does not tell the signing keys');
  const [newest] = (signingKeys as Key[])
    .filter(({ status }) => status !== 'revoking')
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return newest?.importKeyId === undefined ? undefined : newest;
}
