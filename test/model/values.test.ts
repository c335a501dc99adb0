import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { revealed, Sealed, sealedIn } from '../../src/model/sealed.ts';
import { fillHoles, type Hole, holdsSecret, holesIn, sealAt, type Value } from '../../src/model/value.ts';
import { containsValue, mapTree, visitDeep, visitMembers } from '../../src/model/walk.ts';

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Value>;

describe('a walk over a value', () => {
  it('that changes nothing gives an equal value, and visits what it copies', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(mapTree(value, () => visitMembers)).toEqual(value);
        const visited: unknown[] = [];
        visitDeep(value, (one) => {
          visited.push(one);
          return visitMembers;
        });
        const copied: unknown[] = [];
        mapTree(value, (one) => {
          copied.push(one);
          return visitMembers;
        });
        expect(copied).toEqual(visited);
        expect(visited.every((one) => containsValue(value, (other) => other === one || visitMembers))).toBe(
          true,
        );
      }),
    );
  });

  it('gives a value in which only one part changes, with all members in their order', () => {
    fc.assert(
      fc.property(json, fc.nat({ max: 9 }), (value, chosen) => {
        const replaceChosen = () => {
          let count = 0;
          return (scalar: unknown) => (count++ === chosen ? 'other' : scalar);
        };
        const isScalar = (part: unknown) => typeof part !== 'object' || part === null;
        const [replaceInTree, replaceInJson] = [replaceChosen(), replaceChosen()];
        const changed = mapTree(value, (part) => (isScalar(part) ? replaceInTree(part) : visitMembers));
        const expected = JSON.stringify(value, (_, part) => (isScalar(part) ? replaceInJson(part) : part));
        expect(JSON.stringify(changed)).toBe(expected);
      }),
    );
  });

  it('keeps a member that is called as the prototype is', () => {
    const value = JSON.parse('{"__proto__":{"a":1}}');
    expect(JSON.stringify(mapTree(value, (one) => (one === 1 ? 2 : visitMembers)))).toBe(
      '{"__proto__":{"a":2}}',
    );
  });
});

describe('sealing', () => {
  it('hides all text at and below a path, and nothing beside it; revealed it is the same', () => {
    fc.assert(
      fc.property(json, json, (secret, open) => {
        const sealed = sealAt({ a: { secret }, open }, ['a', 'secret']) as Record<string, Value>;
        expect(revealed(sealed)).toEqual({ a: { secret }, open });
        expect(sealed.open).toEqual(open);
        expect(
          containsValue(
            sealed.a,
            (one) => (typeof one === 'string' && one !== '') || (!(one instanceof Sealed) && visitMembers),
          ),
        ).toBe(false);
        expect(holdsSecret(sealed.open)).toBe(false);
      }),
    );
  });

  it('makes text of literals where it is asked to, and leaves holes and where the path leads nowhere', () => {
    const holes: Value = [{ $secret: 'db' }, { $ref: 'projects/web', attr: 'id' }, null];
    const sealed = sealAt({ list: [1, true, '', ...holes] }, ['list'], { literals: true });
    expect(sealedIn(sealed).map((one) => one.reveal())).toEqual(['1', 'true', '']);
    expect((sealed as { list: Value[] }).list.slice(3)).toEqual(holes);
    expect(sealAt({ a: 'b' }, ['c', 'd'])).toEqual({ a: 'b' });
  });
});

describe('filling holes', () => {
  const known = {
    secrets: new Map([['db', new Sealed('hunter2', 'db')]]),
    attribute: (address: string, attr: string) => (address === 'projects/web' ? `${attr} of web` : undefined),
    results: [{ version: { id: 7 } }],
  };
  const ref: Hole = { $ref: 'projects/web', attr: 'id' };
  const unknown: Hole = { $ref: 'projects/none', attr: 'id' };

  it('fills all that is known; the rest stays, with the text around it', () => {
    const value = { a: [ref, { $result: 0, path: ['version', 'id'] }], b: { $join: ['x-', ref] } };
    expect(fillHoles(value, known)).toEqual({ a: ['id of web', 7], b: 'x-id of web' });
    expect(fillHoles({ $join: ['x-', ref, unknown] }, known)).toEqual({
      $join: ['x-', 'id of web', unknown],
    });
    expect(fillHoles({ $secret: 'none' }, known)).toEqual({ $secret: 'none' });
    expect(holesIn(fillHoles([unknown, ref], known))).toEqual([unknown]);
  });

  it('text with a secret in it is a secret of that name', () => {
    const filled = fillHoles({ url: { $join: ['postgres://', { $secret: 'db' }, '@', ref] } }, known);
    const [sealed] = sealedIn(filled);
    expect(sealed!.reveal()).toBe('postgres://hunter2@id of web');
    expect(JSON.stringify(filled)).toBe('{"url":"(secret db)"}');
  });

  it('asks what takes the place of a hole that is not known', () => {
    const refuse = (): never => {
      throw new Error('not known');
    };
    expect(() => fillHoles({ $join: ['a', unknown] }, known, refuse)).toThrow('not known');
  });
});
