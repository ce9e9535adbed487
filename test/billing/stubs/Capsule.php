<?php

namespace WHMCS\Database;

/** The few calls of the billing system's query builder that a module may make, over arrays. */
final class Capsule
{
    /** @var array<string, array<int, array<string, mixed>>> */
    public static $tables = [];

    /** @var string[] */
    public static $writes = [];

    public static function table(string $name): CapsuleQuery
    {
        return new CapsuleQuery($name);
    }
}

final class CapsuleQuery
{
    /** @var string */
    private $table;

    /** @var array<string, mixed> */
    private $wheres = [];

    public function __construct(string $table)
    {
        $this->table = $table;
    }

    /** @param mixed $value */
    public function where(string $column, $value): self
    {
        $this->wheres[$column] = $value;
        return $this;
    }

    /** @return mixed */
    public function value(string $column)
    {
        foreach (Capsule::$tables[$this->table] ?? [] as $row) {
            if ($this->fits($row)) {
                return $row[$column] ?? null;
            }
        }
        return null;
    }

    /** @param array<string, mixed> $values */
    public function update(array $values): int
    {
        $changed = 0;
        foreach (Capsule::$tables[$this->table] ?? [] as $index => $row) {
            if ($this->fits($row)) {
                Capsule::$tables[$this->table][$index] = array_merge($row, $values);
                Capsule::$writes[] = $this->table . ':' . $row['id'];
                $changed++;
            }
        }
        return $changed;
    }

    /** @param array<string, mixed> $row */
    private function fits(array $row): bool
    {
        foreach ($this->wheres as $column => $value) {
            if (!array_key_exists($column, $row) || (string) $row[$column] !== (string) $value) {
                return false;
            }
        }
        return true;
    }
}
