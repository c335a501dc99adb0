import type { StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';

/**
 * Converts a `vercel_kms_issuer` (an issuer of signed tokens) of a Terraform state to objects of the account, for `trueup from terraform`,
 * with its imported key if it has one.
 */
export function kmsIssuer(attributes: Attributes): StateReading {
  attributes.skip('team_id', 'created_at', 'managed_by', 'origin', 'owner_id', 'signing_keys', 'updated_at');
  attributes.secret('import_key');
  const object = attributes.renamed({ algorithm: 'algorithm', id: 'id', name: 'name' });
  return attributes.reading([{ kind: 'kmsIssuer', object }, ...keyIn(attributes, String(object.id))]);
}

const inIssuer = (id: string) => ({ kind: 'kmsIssuer', id });

/**
 * Returns the imported signing key of an issuer, identified by the id that it was imported with; none if the platform generated the key.
 */
function keyIn(attributes: Attributes, issuer: string) {
  const importKeyId = attributes.text('key_id');
  return importKeyId === undefined
    ? []
    : [{ kind: 'kmsSigningKey', in: inIssuer(issuer), object: { importKeyId } }];
}

/** Converts a `vercel_kms_signing_key` of a Terraform state to objects of the account, for `trueup from terraform`. */
export function kmsSigningKey(attributes: Attributes): StateReading {
  attributes.skip(
    'id',
    'team_id',
    'algorithm',
    'created_at',
    'updated_at',
    'public_key_fingerprint',
    'public_key_jwk',
  );
  attributes.skip('keepers', 'revoke_at', 'revoke_previous_at', 'status');
  attributes.secret('import_key');
  const isOver = attributes.text('status') === 'revoking';
  const key = keyIn(attributes, attributes.text('issuer_id')!);
  if (key.length === 0)
    attributes.leave('the rotation is complete and the platform keeps the key: there is nothing to declare');
  else if (isOver) attributes.leave('another key has replaced it, and this one expires on its own');
  return attributes.reading(isOver ? [] : key);
}

/**
 * Converts the permission of a project to use an issuer (a `vercel_kms_project_grant`, also called
 * `vercel_kms_issuer_policy`) of a Terraform state to objects of the account, for `trueup from terraform`.
 */
export function kmsGrant(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id', 'created_at', 'updated_at');
  const issuer = inIssuer(attributes.text('issuer_id')!);
  const object = present({
    ...attributes.renamed({ environments: 'environments', project_id: 'projectId' }),
    tokenClaims: attributes.json('token_claims'),
  });
  return attributes.reading([{ kind: 'kmsIssuerPolicy', in: issuer, object }]);
}
