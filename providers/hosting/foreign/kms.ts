import type { StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';

export function kmsIssuer(of: Attributes): StateReading {
  of.skip('team_id', 'created_at', 'managed_by', 'origin', 'owner_id', 'signing_keys', 'updated_at');
  of.secret('import_key');
  const object = of.renamed({ algorithm: 'algorithm', id: 'id', name: 'name' });
  return of.reading([{ kind: 'kmsIssuer', object }, ...keyIn(of, String(object.id))]);
}

const inIssuer = (id: string) => ({ kind: 'kmsIssuer', id });

/** A key of one's own, which is known by the id that it was given. */
function keyIn(of: Attributes, issuer: string) {
  const importKeyId = of.text('key_id');
  return importKeyId === undefined
    ? []
    : [{ kind: 'kmsSigningKey', in: inIssuer(issuer), object: { importKeyId } }];
}

export function kmsSigningKey(of: Attributes): StateReading {
  of.skip(
    'id',
    'team_id',
    'algorithm',
    'created_at',
    'updated_at',
    'public_key_fingerprint',
    'public_key_jwk',
  );
  of.skip('keepers', 'revoke_at', 'revoke_previous_at', 'status');
  of.secret('import_key');
  const isOver = of.text('status') === 'revoking';
  const key = keyIn(of, of.text('issuer_id')!);
  if (key.length === 0)
    of.leave('the rotation is complete and the platform keeps the key: there is nothing to declare');
  else if (isOver) of.leave('another key has replaced it, and this one expires on its own');
  return of.reading(isOver ? [] : key);
}

/** A grant, under either of the names that the provider has had for it. */
export function kmsGrant(of: Attributes): StateReading {
  of.skip('id', 'team_id', 'created_at', 'updated_at');
  const issuer = inIssuer(of.text('issuer_id')!);
  const object = present({
    ...of.renamed({ environments: 'environments', project_id: 'projectId' }),
    tokenClaims: of.json('token_claims'),
  });
  return of.reading([{ kind: 'kmsIssuerPolicy', in: issuer, object }]);
}
