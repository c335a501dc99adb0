import * as z from 'zod';
import {
  type ApiObject,
  createOnly,
  defineKind,
  objectsOfList,
  problem,
  requireText,
  secret,
  type WriteRequest,
} from '#kind';

const rotation: WriteRequest = {
  endpoint: 'POST /v1/kms/issuers/{kmsIssuer}/keys',
  body: ({ after }) => after!.fields,
  refuses: ({ address, after }) =>
    after!.fields.importKey === undefined
      ? problem('kms/key', `${address} differs from the issuer's key, but there is no key to import`, {
          address,
          at: after!.at,
          hint: 'set `importKey` to a secret with the PEM private key',
        })
      : undefined,
};

/**
 * The key that an issuer signs with, if it was imported. Each write is a rotation, and earlier keys expire. So
 * there is one at a time, and nothing to delete.
 */
export const kmsSigningKey = defineKind({
  name: 'kmsSigningKey',
  doc: 'Your own signing key of a KMS issuer. Changing `importKeyId` rotates it: the previous key soon stops being used.',
  section: 'signingKey',
  parent: 'kmsIssuer',
  key: [],
  fields: () => ({
    importKeyId: z
      .string()
      .min(1)
      .describe(
        'The `kid` of the key in tokens and in the published set of keys. Changing it rotates the key.',
      ),
    importKey: createOnly(secret(z.string().min(1)))
      .optional()
      .describe('The private key in PEM. It is sent when `importKeyId` changes, and never compared.'),
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
            reason: 'it rotates the key: the previous one stops being used and cannot be restored',
          }
        : undefined,
  },
  read: { endpoint: 'GET /v1/kms/issuers/{kmsIssuer}', item: importedIn },
  create: rotation,
  update: rotation,
});

/**
 * Returns the newest key in an answer that is not being revoked, because that one signs, or will soon. Undefined if
 * the platform generated it: only imported keys have a name (`importKeyId`) and are managed here.
 */
function importedIn({ signingKeys }: ApiObject): ApiObject | undefined {
  if (!Array.isArray(signingKeys)) throw new Error('the response does not contain the signing keys');
  const creationOf = ({ createdAt }: ApiObject) => requireText(createdAt, 'createdAt');
  const [newest] = objectsOfList(signingKeys, 'signingKeys')
    .filter(({ status }) => requireText(status, 'status') !== 'revoking')
    .sort((a, b) => (creationOf(a) < creationOf(b) ? 1 : -1));
  return newest?.importKeyId === undefined ? undefined : newest;
}
