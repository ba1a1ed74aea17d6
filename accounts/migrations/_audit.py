"""What a database itself does so that the audit stays as it was written."""

# What is in the audit stays as it was written, whoever asks: a slip of ours, an admin's SQL, a
# stolen password of the database's user. (Whoever owns the table can drop a trigger; the chain
# is for them.) TRUNCATE is left to those who make a test database anew.
_SQLITE = [
    f"""
    CREATE TRIGGER audit_no_{verb.lower()} BEFORE {verb} ON accounts_auditentry
    BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END
    """
    for verb in ("UPDATE", "DELETE")
]
_POSTGRESQL = [
    """
    CREATE FUNCTION accounts_audit_stays() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the audit is append-only'; END $$
    """,
    """
    CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE ON accounts_auditentry
    FOR EACH ROW EXECUTE FUNCTION accounts_audit_stays()
    """,
]


def seal(apps, schema_editor):
    for statement in {"sqlite": _SQLITE, "postgresql": _POSTGRESQL}[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def unseal(apps, schema_editor):
    # SQLite's go with the table.
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP TRIGGER audit_stays ON accounts_auditentry")
        schema_editor.execute("DROP FUNCTION accounts_audit_stays()")


def begin(apps, schema_editor):
    """The chain's first head, so that nobody has to make it under a lock."""
    apps.get_model("accounts", "AuditHead").objects.get_or_create(pk=1)
