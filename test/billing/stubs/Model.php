<?php

/** The billing system's record of a service: it answers for its properties by __get, as an Eloquent model does. */
final class RunnerModel
{
    /** @var array<int, array<string, string>> */
    public static $saved = [];

    /** @var bool */
    private $broken;

    public function __construct(bool $broken)
    {
        $this->broken = $broken;
    }

    /** @return mixed */
    public function __get(string $name)
    {
        return $name === 'serviceProperties' ? new RunnerProperties($this->broken) : null;
    }
}

final class RunnerProperties
{
    /** @var bool */
    private $broken;

    public function __construct(bool $broken)
    {
        $this->broken = $broken;
    }

    /** @param array<string, string> $values */
    public function save(array $values): void
    {
        if ($this->broken) {
            throw new \RuntimeException('SQLSTATE[HY000]: General error');
        }
        RunnerModel::$saved[] = $values;
    }
}
