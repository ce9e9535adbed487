<?php

/*
 * The billing system's usage billing, as its class documentation describes it: the interfaces, and classes that keep
 * what they were given.
 */

namespace WHMCS\UsageBilling\Contracts\Metrics {
    interface UnitInterface
    {
    }

    interface UsageInterface
    {
        public function value();
    }

    interface MetricInterface
    {
        public const TYPE_SNAPSHOT = 'snapshot';
        public const TYPE_PERIOD_DAY = 'day';
        public const TYPE_PERIOD_MONTH = 'month';

        public function usage();

        public function withUsage(?UsageInterface $usage = null);

        public function units();

        public function systemName();

        public function displayName();

        public function type();
    }

    interface ProviderInterface
    {
        public function metrics();

        public function usage();

        public function tenantUsage($tenant);
    }
}

namespace WHMCS\UsageBilling\Metrics\Units {
    class GigaBytes implements \WHMCS\UsageBilling\Contracts\Metrics\UnitInterface
    {
    }

    class WholeNumber implements \WHMCS\UsageBilling\Contracts\Metrics\UnitInterface
    {
        public function __construct($name, $singlePerUnitName = null, $pluralPerUnitName = null)
        {
        }
    }
}

namespace WHMCS\UsageBilling\Metrics {
    use WHMCS\UsageBilling\Contracts\Metrics\MetricInterface;
    use WHMCS\UsageBilling\Contracts\Metrics\UnitInterface;
    use WHMCS\UsageBilling\Contracts\Metrics\UsageInterface;

    class Usage implements UsageInterface
    {
        /** @var mixed */
        private $value;

        public function __construct($value, $collectedAt = null, $startAt = null, $endAt = null)
        {
            $this->value = $value;
        }

        public function value()
        {
            return $this->value;
        }
    }

    class Metric implements MetricInterface, \JsonSerializable
    {
        private $systemName;
        private $displayName;
        private $type;
        private $units;
        private $usage;

        public function __construct(
            $systemName,
            $displayName = null,
            $type = null,
            ?UnitInterface $units = null,
            ?UsageInterface $usage = null
        ) {
            [$this->systemName, $this->displayName, $this->type] = [$systemName, $displayName, $type];
            [$this->units, $this->usage] = [$units, $usage];
        }

        public function usage()
        {
            return $this->usage;
        }

        public function withUsage(?UsageInterface $usage = null)
        {
            $copy = clone $this;
            $copy->usage = $usage;
            return $copy;
        }

        public function units()
        {
            return $this->units;
        }

        public function systemName()
        {
            return $this->systemName;
        }

        public function displayName()
        {
            return $this->displayName;
        }

        public function type()
        {
            return $this->type;
        }

        /** @return mixed */
        #[\ReturnTypeWillChange]
        public function jsonSerialize()
        {
            return [
                'name' => $this->displayName,
                'type' => $this->type,
                'units' => get_class($this->units),
                'value' => $this->usage === null ? null : $this->usage->value(),
            ];
        }
    }
}
