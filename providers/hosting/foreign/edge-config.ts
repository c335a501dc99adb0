import { isPlainObject, type Sealed, type StateReading } from '#kind';
import type { Attributes } from './attributes.ts';

export function edgeConfig(of: Attributes): StateReading {
  of.skip('team_id');
  return of.reading([{ kind: 'globalConfig', object: of.renamed({ id: 'id', name: 'slug' }) }]);
}

const inStore = (of: Attributes, member = 'edge_config_id') => ({
  kind: 'globalConfig',
  id: of.text(member)!,
});

/** A value of any type stands in a state beside its type. */
const unwrapped = (value: unknown): unknown =>
  isPlainObject(value) && 'value' in value && 'type' in value && Object.keys(value).length === 2
    ? value.value
    : value;

export function edgeConfigItem(of: Attributes): StateReading {
  of.skip('id', 'team_id');
  const { json, text, ...rest } = of.renamed({
    description: 'description',
    key: 'key',
    value: 'text',
    value_json: 'json',
  });
  const object = { ...rest, value: json === undefined ? text : unwrapped(json) };
  return of.reading([{ kind: 'globalConfigItem', in: inStore(of), object }]);
}

export function edgeConfigSchema(of: Attributes): StateReading {
  of.skip('team_id');
  const place = inStore(of, 'id');
  const definition = of.json('definition') ?? {};
  if (isPlainObject(definition))
    return of.reading([{ kind: 'globalConfigSchema', in: place, object: { definition } }]);
  of.leave('`definition` is not JSON');
  return of.reading([]);
}

export function edgeConfigToken(of: Attributes): StateReading {
  of.skip('team_id');
  const store = inStore(of);
  const [token, connection] = [of.sealed('token'), of.sealed('connection_string')];
  const form = token && connection && connectionForm(connection, token, store.id);
  const shown = [
    ...(token ? [{ text: token, value: '${secret}' }] : []),
    ...(form ? [{ text: connection, value: form }] : []),
  ];
  const object = of.renamed({ id: 'id', label: 'label' });
  return of.reading([{ kind: 'globalConfigToken', in: store, object, shown }]);
}

/** Returns a connection string with `${secret}` and `${id}` in it; undefined if it is of another form. */
function connectionForm(connection: Sealed, token: Sealed, store: string): string | undefined {
  const form = connection
    .reveal()
    .replace(token.reveal(), () => '${secret}')
    .replace(store, () => '${id}');
  return /^https:\/\/[\w.-]+\/\$\{id\}\?token=\$\{secret\}$/.test(form) ? form : undefined;
}
