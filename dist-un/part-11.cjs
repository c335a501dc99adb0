"use strict";const part_7WSOOOMO=(()=>{const {
  inTransaction,
  isWithoutTables,
  poolFor
}=require("./part-108.cjs").part_E6DY2P6B;const {
  postgresProblems
}=require("./part-108.cjs").part_LWABGJRU;require("./part-108.cjs").part_UIO3JTQR;const {
  Conflict,
  isRecordName,
  mostOfOther,
  storedText
}=require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;require("./part-72.cjs").part_VZPGGW2W;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_MQHVXKRH;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
;
;
;
;
;
;
;
;
;
;
;
;

// src/stores/postgres/postgres-documents.ts
var columns = "stack text, name text, text text not null, primary key (stack, name)";
async function postgresDocuments(stack, place, connection) {
  const { schema, shown, config } = connection;
  const pool = await poolFor(connection);
  const made = { schema, tables: { documents: columns, records: columns } };
  const tables = { documents: `"${schema}".documents`, records: `"${schema}".records` };
  const told = async (doing, work) => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Conflict || error instanceof Problems) throw error;
      throw postgresProblems(place, doing, error, config.password);
    }
  };
  const rows = (sql, values) => told("read", async () => {
    try {
      return (await pool.query(sql, values)).rows;
    } catch (error) {
      if (isWithoutTables(error)) return [];
      throw error;
    }
  });
  const replace = (name, text, expected, beside) => told(
    "written",
    () => inTransaction(pool, made, async (client) => {
      const found = await client.query(
        `select text from ${tables.documents} where stack = $1 and name = $2 for update`,
        [stack, name]
      );
      const there = documentOf(found.rows[0]);
      if (there?.version !== expected) throw new Conflict(there);
      if (text === void 0)
        await client.query(`delete from ${tables.documents} where stack = $1 and name = $2`, [stack, name]);
      else if (there)
        await client.query(`update ${tables.documents} set text = $3 where stack = $1 and name = $2`, [
          stack,
          name,
          text
        ]);
      else if (!await isInserted(client, tables.documents, [stack, name, text]))
        throw new Conflict(await readNow(client, tables.documents, stack, name));
      for (const [record, recordText] of beside?.history ?? [])
        await client.query(
          recordText === void 0 ? `delete from ${tables.records} where stack = $1 and name = $2` : `insert into ${tables.records} (stack, name, text) values ($1, $2, $3)
                 on conflict (stack, name) do update set text = excluded.text`,
          recordText === void 0 ? [stack, record] : [stack, record, recordText]
        );
    })
  );
  return {
    read: async (name) => {
      const [found] = await rows(
        `select text from ${tables.documents} where stack = $1 and name = $2`,
        [stack, name]
      );
      return documentOf(found);
    },
    others: async () => {
      const found = await rows(
        `select stack, case when octet_length(text) <= $2 then text end as text
         from ${tables.documents} where name = 'ledger' and stack <> $1 order by stack`,
        [stack, mostOfOther]
      );
      return found.map((one) => ({ place: `${one.stack} at ${shown}`, text: one.text ?? void 0 }));
    },
    history: {
      names: async () => {
        const found = await rows(`select name from ${tables.records} where stack = $1`, [
          stack
        ]);
        return found.map(({ name }) => name).filter(isRecordName).sort();
      },
      read: async (names) => {
        const found = await rows(
          `select name, text from ${tables.records} where stack = $1 and name = any($2)`,
          [stack, [...names]]
        );
        const texts = new Map(found.map(({ name, text }) => [name, text]));
        return new Map(names.flatMap((name) => texts.has(name) ? [[name, texts.get(name)]] : []));
      }
    },
    write: async (name, text, { expected, beside }) => {
      await replace(name, text, expected, beside);
      return storedText(text).version;
    },
    remove: (name, { expected, beside }) => replace(name, void 0, expected, beside)
  };
}
var documentOf = (row) => row && storedText(row.text);
async function readNow(client, table, stack, name) {
  const { rows } = await client.query(
    `select text from ${table} where stack = $1 and name = $2`,
    [stack, name]
  );
  return documentOf(rows[0]);
}
async function isInserted(client, table, values) {
  const { rowCount } = await client.query(
    `insert into ${table} (stack, name, text) values ($1, $2, $3) on conflict do nothing`,
    values
  );
  return rowCount === 1;
}
return{postgresDocuments:postgresDocuments};})();exports.part_7WSOOOMO=part_7WSOOOMO;
